// A bot that plays at random, in C++: g++ -O2 -o random_bot random_bot.cpp, then exec:./random_bot.
// The protocol is in docs/protocol.md. Messages are flat enough to be read without a JSON library.
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

// Returns what follows "key": in a message.
static const char *value_of(const std::string &line, const std::string &key) {
    const auto at = line.find("\"" + key + "\":");
    return at == std::string::npos ? "" : line.c_str() + at + key.size() + 3;
}

static bool is_of_type(const std::string &line, const std::string &type) {
    return line.find("\"t\":\"" + type + "\"") != std::string::npos;
}

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        if (is_of_type(line, "hello")) {
            std::cout << R"({"t":"hello","protocol":1,"name":"random"})" << std::endl;
        } else if (is_of_type(line, "decide")) {
            std::vector<long> legal;
            char *rest = const_cast<char *>(value_of(line, "legal"));
            while (*rest == '[' || *rest == ',') legal.push_back(std::strtol(rest + 1, &rest, 10));
            const auto random = std::strtoull(value_of(line, "random"), nullptr, 10);
            std::cout << "{\"id\":" << std::strtol(value_of(line, "id"), nullptr, 10)
                      << ",\"action\":" << legal[random * legal.size() >> 32] << "}" << std::endl;
        }
    }
}
