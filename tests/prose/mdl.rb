# The Markdown that a Git host and the site render alike; `mdl --style tests/prose/mdl.rb FILE...`.
all
# Lines are as long as an editor wraps them.
exclude_rule 'MD013'
# The marks that tools/scripts/chapters fills in touch the code between them.
exclude_rule 'MD031'
# Some pages indent their code, some fence it; a fence needs no blank line before the marks.
exclude_rule 'MD046'
# A paragraph that is nothing but emphasised is the line below a table that says where it was measured.
exclude_rule 'MD036'
# A blank may belong to what is quoted: `expect: `.
exclude_rule 'MD038'
# A heading may ask a question.
rule 'MD026', :punctuation => '.,;:!'
rule 'MD029', :style => :ordered
