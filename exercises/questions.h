/* SPDX-License-Identifier: MIT */
/** @file questions.h
 * What the checker asks an answer, one question after another: samples of products in exercise
 * 11, residues in exercise 23, tables of coefficients in exercise 24. It draws them anew for
 * each call, and keeps them and the right answers in its own process.
 */
#ifndef EXERCISES_QUESTIONS_H
#define EXERCISES_QUESTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum question_kind { QUESTION_SAMPLE = 1, QUESTION_TABLE, QUESTION_RESIDUE };

/** Is C the product? A has m x k numbers, then B k x n, then C m x n. */
struct question_sample {
    long m, n, k;
    float numbers[2 * 30 * 70 + 30 * 30];
};

/** Which equation and which product are wrong? Exercise 24 explains the table. */
struct question_table {
    int shift;
    int64_t of[3][7][4];
};

/** What is x, or a sum x, modulo this one of the seven moduli? */
struct question_residue {
    int64_t x;
    int modulus;
    bool is_sum;
};

/** Forgets all questions and answers. */
void questions_reset(void);

/** Takes the answer to the question before, if there was one, and asks the next.
 * @param kind always the same one
 * @param given the answer: whether C is accepted; the equation and the product; the residue
 * @return false: there are no more */
bool questions_next(enum question_kind kind, const int given[2]);

/** @return where the question is, in both processes */
void *questions_place(void);

/** Writes what was counted, "wrong_equations=0 ...". What has no answer is wrong.
 * @param text gets it
 * @param size of it
 * @return false: no question was asked */
bool questions_note(char *text, size_t size);

#endif
