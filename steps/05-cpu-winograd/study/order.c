/* SPDX-License-Identifier: MIT */
/** @file order.c
 * --order: in which order of M1 ... M7 do the sums cost least? (the edit distance of the
 * optimisation study)
 *
 * One buffer holds the current sum of A's quadrants, one that of B's. From one product to the
 * next a buffer can be updated term by term, negated and updated, or emptied and filled again.
 * An operand of one term needs no buffer: the quadrant itself is multiplied.
 */

#include "common/device/host.h"
#include "common/measure/json.h"
#include "common/command/options.h"
#include "steps/05-cpu-winograd/winograd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRODUCTS = 7, TERMS = 4 };

/** Seven products of a sum of A's quadrants and one of B's, by the coefficients of X11, X12,
 * X21 and X22, and what forming C from them costs. */
struct seven_products {
    const char *name;
    int s[PRODUCTS][TERMS], t[PRODUCTS][TERMS];
    const char *result; /**< how C is formed */
    int result_sets, result_adds;
    int document_sets, document_adds; /**< what the optimisation study reports */
};

/* The optimisation study's own numbering, which for Winograd is not that of Li
   et al. (2011). */
static const struct seven_products strassen_method = {
    .name = "Strassen",
    .s = {{1, 0, 0, 1},
          {0, 0, 1, 1},
          {1, 0, 0, 0},
          {0, 0, 0, 1},
          {1, 1, 0, 0},
          {-1, 0, 1, 0},
          {0, 1, 0, -1}},
    .t = {{1, 0, 0, 1},
          {1, 0, 0, 0},
          {0, 1, 0, -1},
          {-1, 0, 1, 0},
          {0, 0, 0, 1},
          {1, 1, 0, 0},
          {0, 0, 1, 1}},
    .result = "C11 = M1 + M4 - M5 + M7, C12 = M3 + M5, C21 = M2 + M4, C22 = M1 - M2 + M3 + M6",
    .result_sets = 4,
    .result_adds = 8,
    .document_sets = 14,
    .document_adds = 18};
static const struct seven_products winograd_method = {
    .name = "Winograd",
    .s = {{1, 0, 0, 0},
          {0, 1, 0, 0},
          {1, 1, -1, -1},
          {0, 0, 0, 1},
          {0, 0, 1, 1},
          {-1, 0, 1, 1},
          {1, 0, -1, 0}},
    .t = {{1, 0, 0, 0},
          {0, 0, 1, 0},
          {0, 0, 0, 1},
          {1, -1, -1, 1},
          {-1, 1, 0, 0},
          {1, -1, 0, 1},
          {0, -1, 0, 1}},
    .result = "C11 = M1 + M2, U2 = M1 + M6, U3 = U2 + M7, U4 = U2 + M5, C12 = U4 + M3, C21 = "
              "U3 - M4, "
              "C22 = U3 + M5",
    .result_sets = 4,
    .result_adds = 7,
    .document_sets = 8,
    .document_adds = 15};

/** What an order costs. */
struct operation_count {
    int distance; /**< the optimisation study's edit distances, added up */
    int sets, adds;
};

static int terms_of(const int *x)
{
    int terms = 0;
    for (int i = 0; i < TERMS; i++)
        terms += abs(x[i]);
    return terms;
}

/* Terms to take out or put in to turn sign * state into target. */
static int distance(const int *state, int sign, const int *target)
{
    int d = 0;
    for (int i = 0; i < TERMS; i++)
        d += abs(target[i] - sign * state[i]);
    return d;
}

/** How a buffer gets its next sum. */
enum move { MOVE_NONE, MOVE_FILL, MOVE_UPDATE, MOVE_FLIP };

/** What the search makes smallest: the optimisation study's edit distance, or the set and add
    operations it is for. */
enum objective { EDIT_DISTANCE, OPERATIONS };

/* Chooses the cheapest move from *state to target, adds it to the tally and takes it. */
static enum move next_sum(int *state, const int *target, enum objective objective,
                          struct operation_count *tally)
{
    int terms = terms_of(target);
    if (terms == 1)
        return MOVE_NONE;
    bool empty = terms_of(state) == 0;
    int update = distance(state, 1, target), flip = distance(state, -1, target);
    /* Emptying costs one in the edit distance; as operations, filling is one set and adds. A
       flip costs one more there, but as operations it rides on the first add: q - x instead of
       x + q. */
    int fill_cost = objective == EDIT_DISTANCE ? terms + !empty : terms;
    int flip_cost = objective == EDIT_DISTANCE ? 1 + flip : flip ? flip : 1;
    enum move move = MOVE_FILL;
    int cost = fill_cost;
    if (!empty && update < cost) {
        move = MOVE_UPDATE;
        cost = update;
    }
    if (!empty && flip_cost < cost) {
        move = MOVE_FLIP;
        cost = flip_cost;
    }
    tally->distance += move == MOVE_FILL   ? terms + !empty
                       : move == MOVE_FLIP ? 1 + flip
                                           : update;
    tally->sets += move == MOVE_FILL || (move == MOVE_FLIP && flip == 0);
    tally->adds += move == MOVE_FILL ? terms - 1 : move == MOVE_FLIP ? flip : update;
    memcpy(state, target, TERMS * sizeof *state);
    return move;
}

static struct operation_count tally_of(const struct seven_products *method, const int *order,
                                       enum objective objective)
{
    int s[TERMS] = {0}, t[TERMS] = {0};
    struct operation_count tally = {0, method->result_sets, method->result_adds};
    for (int i = 0; i < PRODUCTS; i++) {
        next_sum(s, method->s[order[i]], objective, &tally);
        next_sum(t, method->t[order[i]], objective, &tally);
    }
    return tally;
}

static bool better(struct operation_count x, struct operation_count y, enum objective objective)
{
    if (objective == EDIT_DISTANCE && x.distance != y.distance)
        return x.distance < y.distance;
    if (x.sets + x.adds != y.sets + y.adds)
        return x.sets + x.adds < y.sets + y.adds;
    /* Equal: the optimisation study fills rather than updates, so more sets and fewer adds. */
    return objective == OPERATIONS && x.adds != y.adds ? x.adds < y.adds
                                                       : x.distance < y.distance;
}

/* Tries all orders of order[from..]; keeps the first of the best in *best. */
static void search(const struct seven_products *method, enum objective objective, int *order,
                   int from, int *best, struct operation_count *best_tally)
{
    if (from == PRODUCTS) {
        struct operation_count tally = tally_of(method, order, objective);
        if (best_tally->distance < 0 || better(tally, *best_tally, objective)) {
            *best_tally = tally;
            memcpy(best, order, PRODUCTS * sizeof *best);
        }
        return;
    }
    for (int i = from; i < PRODUCTS; i++) {
        int chosen = order[i];
        memmove(order + from + 1, order + from, (size_t)(i - from) * sizeof *order);
        order[from] = chosen;
        search(method, objective, order, from + 1, best, best_tally);
        memmove(order + from, order + from + 1, (size_t)(i - from) * sizeof *order);
        order[i] = chosen;
    }
}

/* "A21 + A22 - A11": positive terms first. */
static void print_sum(const int *x, char letter)
{
    static const char *const index[TERMS] = {"11", "12", "21", "22"};
    const char *between = "";
    for (int sign = 1; sign >= -1; sign -= 2)
        for (int i = 0; i < TERMS; i++)
            if (x[i] == sign) {
                printf("%s%c%s", sign < 0 ? " - " : between, letter, index[i]);
                between = " + ";
            }
}

static void print_move(enum move move, const int *target, char buffer, char letter)
{
    static const char *const how[] = {"", "filled", "updated", "negated and updated"};
    if (move == MOVE_NONE)
        return;
    printf("    %c = ", buffer);
    print_sum(target, letter);
    printf("  (%s)\n", how[move]);
}

static void print_factor(const int *x, char buffer, char letter)
{
    if (terms_of(x) == 1)
        print_sum(x, letter);
    else
        putchar(buffer);
}

static void print_schedule(const struct seven_products *method, const int *order,
                           enum objective objective)
{
    int s[TERMS] = {0}, t[TERMS] = {0};
    struct operation_count tally = {0};
    for (int i = 0; i < PRODUCTS; i++) {
        const int *si = method->s[order[i]], *ti = method->t[order[i]];
        print_move(next_sum(s, si, objective, &tally), si, 'S', 'A');
        print_move(next_sum(t, ti, objective, &tally), ti, 'T', 'B');
        printf("    M%d = ", order[i] + 1);
        print_factor(si, 'S', 'A');
        printf(" * ");
        print_factor(ti, 'T', 'B');
        printf("\n");
    }
    printf("    %s\n", method->result);
}

/* Every operand, even a single term, set and added up in its buffer, in the order M1 ... M7. */
static struct operation_count tally_without_thought(const struct seven_products *method)
{
    struct operation_count tally = {0, method->result_sets, method->result_adds};
    for (int i = 0; i < PRODUCTS; i++) {
        tally.sets += 2;
        tally.adds += terms_of(method->s[i]) - 1 + terms_of(method->t[i]) - 1;
    }
    return tally;
}

static void print_best(const struct seven_products *method, enum objective objective,
                       bool schedule)
{
    int order[PRODUCTS] = {0, 1, 2, 3, 4, 5, 6}, best[PRODUCTS] = {0};
    struct operation_count tally = {.distance = -1};
    search(method, objective, order, 0, best, &tally);
    printf("  smallest %s:",
           objective == OPERATIONS ? "number of operations" : "edit distance");
    for (int i = 0; i < PRODUCTS; i++)
        printf(" M%d", best[i] + 1);
    printf(": %d set + %d add, edit distance %d\n", tally.sets, tally.adds, tally.distance);
    if (!schedule)
        return;
    print_schedule(method, best, objective);
    bool same = tally.sets == method->document_sets && tally.adds == method->document_adds;
    printf("  The optimisation study reports %d set + %d add: %s\n\n", method->document_sets,
           method->document_adds, same ? "this comes out" : "this does not come out");
}

static void print_json(const char *method, const char *order, struct operation_count tally)
{
    struct json json = json_begin(stdout);
    json_text(&json, "step", "05-cpu-winograd");
    json_text(&json, "variant", "order");
    json_text(&json, "device", "any computer"); /* nothing is timed */
    json_text(&json, "method", method);
    json_text(&json, "order", order);
    json_whole(&json, "sets", tally.sets);
    json_whole(&json, "adds", tally.adds);
    json_bool(&json, "passed", true);
    json_end(&json);
}

/* Products, and additions of blocks, as the methods are defined. */
static void print_definition_json(const char *method, int multiplications, int additions)
{
    struct json json = json_begin(stdout);
    json_text(&json, "method", method);
    json_text(&json, "order", "by-definition");
    json_whole(&json, "multiplications", multiplications);
    json_whole(&json, "additions", additions);
    json_bool(&json, "passed", true);
    json_end(&json);
}

static struct operation_count best_tally(const struct seven_products *method)
{
    int order[PRODUCTS] = {0, 1, 2, 3, 4, 5, 6}, best[PRODUCTS];
    struct operation_count tally = {.distance = -1};
    search(method, OPERATIONS, order, 0, best, &tally);
    return tally;
}

static int print_orders_json(void)
{
    struct operation_count strassen = tally_without_thought(&strassen_method),
                           winograd = tally_without_thought(&winograd_method);
    struct study_counts runs = study_counts();
    print_json("Strassen", "in-turn", strassen);
    print_json("Strassen", "fewest", best_tally(&strassen_method));
    print_json("Winograd", "in-turn", winograd);
    print_json("Winograd", "fewest",
               (struct operation_count){0, runs.sets, runs.adds}); /* what runs */
    print_definition_json("classical", 8, 4);
    print_definition_json("Strassen", PRODUCTS, strassen.adds);
    print_definition_json("Winograd", runs.products, runs.adds);
    return EXIT_RIGHT;
}

int print_orders(const struct options *options)
{
    if (options->json)
        return print_orders_json();
    const struct seven_products *const methods[] = {&strassen_method, &winograd_method};
    for (int i = 0; i < 2; i++) {
        struct operation_count plain = tally_without_thought(methods[i]);
        printf("%s, 5040 orders of M1 ... M7\n  every operand copied, M1 to M7 in turn: "
               "%d set + %d add\n",
               methods[i]->name, plain.sets, plain.adds);
        print_best(methods[i], EDIT_DISTANCE, false);
        print_best(methods[i], OPERATIONS, true);
    }
    struct study_counts runs = study_counts();
    say(stdout,
        "Winograd's order in one buffer each for S, T and M: variant `study` runs %d set + %d "
        "add "
        "and %d products per level.\n",
        runs.sets, runs.adds, runs.products);
    return EXIT_RIGHT;
}
