"""Drawing a table as a picture: SVG with the dice, the colours and the fonts of every viewer, made into pixels."""
