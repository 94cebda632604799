# expect: elements wrong; first C\[
s/tile\[r \* COLS + s\]/tile[r * cols + s]/
