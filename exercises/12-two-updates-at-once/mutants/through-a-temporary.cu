// expect: elements wrong
/* The product into Z's place loses what was there, and Y held something else. */
static void mulIncDec(struct block w, struct block x, struct block y, struct block z)
{
    mul(w, x, z);      /* as if Z had been Y */
    sub(y, z, z);      /* Z - W X */
    add(y, y, y);      /* 2 Y */
    sub(y, z, y);      /* 2 Y - Z + W X */
}
