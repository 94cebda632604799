// expect: right, but [0-9]+ transactions where [0-9]+ are possible
/* The product into Y's place would lose Y, so Z holds it in between; two sums more. */
static void mulIncDec(struct block w, struct block x, struct block y, struct block z)
{
    mul(w, x, z);      /* Z was 3 everywhere, as Y is: Y stands in for it */
    sub(y, z, z);      /* Z - W X */
    add(y, y, y);      /* 2 Y */
    sub(y, z, y);      /* 2 Y - Z + W X */
}
