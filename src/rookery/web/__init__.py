"""The games in a browser: a server that keeps the rules, the dice and the records; static/ is the page."""
