/**
 * @file lab-facts.c
 * What an exercise's program said with --json, for tools/lab: from JSON lines on standard input to
 * one "name value" a line. Of the variant `yours` that is every field the goals may speak of, and
 * what its note counts ("products=7"); of any other its time, as VARIANT_ms.
 */
#include "common/json_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_field(const char *line, const char *name)
{
    char text[4096];
    const char *value = json_find(line, name);
    if (json_get_text(line, name, text, sizeof text))
        printf("%s %s\n", name, text);
    else if (value) /* a number, true, false or null: as it was written */
        printf("%s %.*s\n", name, (int)strcspn(value, ",} \n"), value);
}

static void print_note(const char *line)
{
    char note[1024];
    json_get_text(line, "note", note, sizeof note);
    for (char *word = strtok(note, " ,"); word; word = strtok(NULL, " ,")) {
        char *sign = strchr(word, '=');
        if (sign && sign > word && sign[1] != '\0' && !strchr(sign + 1, '='))
            printf("%.*s %s\n", (int)(sign - word), word, sign + 1);
    }
}

int main(void)
{
    char *line = NULL, variant[128];
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        if (!json_get_text(line, "variant", variant, sizeof variant))
            continue;
        if (strcmp(variant, "yours") == 0) {
            char fields[] = "m n k levels ms_median reference_ms_median ratio max_error passed "
                            "workspace_bytes transactions volume_bytes model_flops "
                            "model_transactions model_volume_bytes reason";
            for (char *field = strtok(fields, " "); field; field = strtok(NULL, " "))
                print_field(line, field);
            print_note(line);
        } else {
            const char *ms = json_find(line, "ms_median");
            printf("%s_ms %.*s\n", variant, ms ? (int)strcspn(ms, ",} \n") : 0, ms ? ms : "");
        }
    }
    free(line);
    return 0;
}
