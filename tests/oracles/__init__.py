"""Brute-force referees of the four games, written from the rules alone and sharing nothing with the fast ones."""
