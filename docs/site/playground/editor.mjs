// SPDX-License-Identifier: MIT
// The editor: CodeMirror, with counts in a gutter and faults below their lines.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { cpp } from '@codemirror/lang-cpp';
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, GutterMarker, WidgetType, drawSelection, gutter, highlightActiveLine, highlightActiveLineGutter, keymap,
    lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';

class Count extends GutterMarker {
    constructor(count) { super(); this.count = count; }
    eq(other) { return other.count === this.count; }
    toDOM() {
        const shown = document.createElement('span');
        shown.textContent = this.count.text;
        shown.title = this.count.title;
        if (this.count.bad) shown.className = 'bad';
        return shown;
    }
}

class Fault extends WidgetType {
    constructor(text) { super(); this.text = text; }
    eq(other) { return other.text === this.text; }
    toDOM() {
        const shown = document.createElement('div');
        shown.className = 'fault';
        shown.textContent = this.text;
        return shown;
    }
}

/* What is shown at the lines, by their numbers from 1: counts, and the faults' texts. The first edit removes it. */
const set_result = StateEffect.define();
const nothing = { counts: new Map(), faults: new Map() };
const result_field = StateField.define({
    create: () => nothing,
    update(result, change) {
        for (const effect of change.effects) if (effect.is(set_result)) return effect.value;
        return change.docChanged ? nothing : result;
    },
});
/* The line of a step through a warp; the first edit removes the mark. */
const set_step = StateEffect.define();
const step_mark = StateField.define({
    create: () => Decoration.none,
    update(mark, change) {
        for (const { value } of change.effects.filter(effect => effect.is(set_step)))
            return value ? Decoration.set([Decoration.line({ class: 'stepping' }).range(change.state.doc.line(value).from)]) : Decoration.none;
        return change.docChanged ? Decoration.none : mark;
    },
    provide: field => EditorView.decorations.from(field),
});
/* CodeMirror takes blocks between lines only from a field, not from the view. */
const fault_marks = StateField.define({
    create: () => Decoration.none,
    update(marks, change) {
        const { faults } = change.state.field(result_field), { doc } = change.state;
        if (faults === change.startState.field(result_field).faults) return marks;
        return Decoration.set([...faults].filter(([number]) => number >= 1 && number <= doc.lines).flatMap(([number, texts]) => {
            const { from, to } = doc.line(number), widget = new Fault(texts.join('\n\n'));
            return [Decoration.line({ class: 'faulty' }).range(from), Decoration.widget({ widget, block: true, side: 1 }).range(to)];
        }), true);
    },
    provide: field => EditorView.decorations.from(field),
});

/** An editor in `parent`. Calls `on.run` for Ctrl+Enter, `on.change` after a change, and `on.line` with the line of the
 * cursor when that has changed, `on.counts` with the line whose counts are clicked. */
export function make_editor(parent, on) {
    const counts = gutter({
        class: 'counts',
        lineMarker(view, block) {
            const count = view.state.field(result_field).counts.get(view.state.doc.lineAt(block.from).number);
            return count ? new Count(count) : null;
        },
        lineMarkerChange: update => update.startState.field(result_field) !== update.state.field(result_field),
        initialSpacer: () => new Count({ text: '', title: '' }),
        domEventHandlers: { click(view, block) { view.dispatch({ selection: { anchor: block.from } }); on.counts(view.state.doc.lineAt(block.from).number); } },
    });
    const extensions = [lineNumbers(), counts, highlightActiveLine(), highlightActiveLineGutter(), drawSelection(), history(), cpp(), indentOnInput(),
        bracketMatching(), indentUnit.of('    '), EditorState.tabSize.of(4), syntaxHighlighting(classHighlighter), result_field, fault_marks, step_mark,
        EditorView.contentAttributes.of({ 'aria-label': 'Code', tabindex: '0', spellcheck: 'false', autocapitalize: 'off' }),
        keymap.of([{ key: 'Ctrl-Enter', mac: 'Cmd-Enter', run: () => { on.run(); return true; } }, ...defaultKeymap, ...historyKeymap]),
        EditorView.updateListener.of(update => {
            const line = state => state.doc.lineAt(state.selection.main.head).number;
            if (update.docChanged) on.change(update.state.doc.toString());
            else if (update.selectionSet && line(update.startState) !== line(update.state)) on.line(line(update.state));
        })];
    const state_of = text => EditorState.create({ doc: text, extensions }), view = new EditorView({ state: state_of(''), parent });
    return {
        /** Shows another file and forgets what could be undone. */
        show(text) { view.setState(state_of(text)); },
        result(counts, faults) { view.dispatch({ effects: set_result.of({ counts, faults }) }); },
        go(number) {
            if (number > view.state.doc.lines) return;
            const at = view.state.doc.line(number).from;
            view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
        },
        /** Marks the line of a step, 0: none, and scrolls the editor to it, not the page. */
        step(number) {
            view.dispatch({ effects: set_step.of(number <= view.state.doc.lines ? number : 0) });
            const { top, bottom } = view.lineBlockAt(view.state.doc.line(Math.max(1, Math.min(number, view.state.doc.lines))).from), pane = view.scrollDOM;
            if (number && (top < pane.scrollTop || bottom > pane.scrollTop + pane.clientHeight)) pane.scrollTop = top - pane.clientHeight / 2;
        },
        replace(text) { view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }); },
    };
}
