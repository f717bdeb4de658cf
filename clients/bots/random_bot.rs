// A bot that plays at random, in Rust: rustc -O random_bot.rs, then exec:./random_bot.
// The protocol is in docs/protocol.md. Messages are flat enough to be read without a JSON library.
use std::io::{self, BufRead, Write};

/// Returns what follows "key": in a message.
fn value_of<'a>(line: &'a str, key: &str) -> &'a str {
    let key = format!("\"{key}\":");
    line.find(&key).map_or("", |at| &line[at + key.len()..])
}

fn number_of(line: &str, key: &str) -> u64 {
    let value = value_of(line, key);
    let end = value.find(|c: char| !c.is_ascii_digit()).unwrap_or(value.len());
    value[..end].parse().expect("a whole number")
}

fn main() -> io::Result<()> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.contains("\"t\":\"hello\"") {
            writeln!(output, r#"{{"t":"hello","protocol":1,"name":"random"}}"#)?;
        } else if line.contains("\"t\":\"decide\"") {
            let legal = value_of(&line, "legal").trim_start_matches('[');
            let legal: Vec<&str> = legal.split(']').next().unwrap_or("").split(',').collect();
            let chosen = legal[(number_of(&line, "random") * legal.len() as u64 >> 32) as usize];
            writeln!(output, r#"{{"id":{},"action":{}}}"#, number_of(&line, "id"), chosen)?;
        }
        output.flush()?;
    }
    Ok(())
}
