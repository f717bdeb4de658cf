"""People against bots: a table, shown as a local web page (extra ``play``)."""
