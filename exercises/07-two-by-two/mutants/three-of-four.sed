# expect: elements wrong; first C\[.*got -?nan
/= sum11;/d
