/**
 * The editor of /write, out of CodeMirror: what `scripts/bundle_editor` bundles.  Its types are in `codemirror.d.ts`
 * beside the bundle.
 *
 * It lives in a shadow root, where CodeMirror's styles are a constructed style sheet: the site's content security policy
 * forbids inline styles.  Colours are the tokens of `site.css`, which reach into it.
 */

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { globalCompletion, localCompletionSource, python } from "@codemirror/lang-python";
import { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import {
  EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.self, tags.bool, tags.null], color: "var(--blood)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--felt)" },
  { tag: [tags.number, tags.className, tags.meta], color: "var(--brass)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], fontWeight: "bold" },
]);

const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--sheet)", border: "1px solid var(--edge)", height: "100%" },
  "&.cm-focused": { outline: "3px solid var(--brass)", outlineOffset: "2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--brass) 35%, transparent)",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--brass) 8%, transparent)" },
  ".cm-selectionMatch, .cm-searchMatch": { backgroundColor: "color-mix(in srgb, var(--brass) 20%, transparent)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "color-mix(in srgb, var(--felt) 25%, transparent)" },
  ".cm-gutters": { color: "var(--soft)", backgroundColor: "var(--paper)", borderRight: "1px solid var(--rule)" },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--paper)" },
  ".cm-textfield, .cm-button": {
    color: "var(--ink)", background: "var(--sheet)", border: "1px solid var(--edge)", fontSize: "1em",
  },
  ".cm-tooltip": { color: "var(--ink)", backgroundColor: "var(--sheet)", border: "1px solid var(--edge)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { color: "var(--sheet)", backgroundColor: "var(--blood)" },
  ".cm-completionDetail": { fontStyle: "normal", color: "inherit" },
  ".cm-completionInfo": { whiteSpace: "pre-line", fontFamily: "var(--sans)" },
  ".cm-diagnosticText": { whiteSpace: "pre-wrap", fontFamily: "var(--mono)" },
});

export function createEditor(place, { text, label, onChange, complete }) {
  const root = place.attachShadow({ mode: "open" });
  const suggest = (context) => {
    const typed = context.matchBefore(/[A-Za-z_](?:[\w.]|\[[^[\]\n]*\])*/); // a chain of names, with plain indexes
    if (!typed && !context.explicit) return null;
    const word = typed ? typed.text : "";
    const from = typed ? typed.from : context.pos;
    const dot = word.lastIndexOf(".") + 1;
    const options = complete(context.state.sliceDoc(0, from), word.slice(0, dot));
    return options.length ? { from: from + dot, options, validFor: /^\w*$/ } : null;
  };
  /** Python's own names, but not where a name is defined: there they are what was just typed, or would be hidden. */
  const unlessDefined = (source) => (context) =>
    context.matchBefore(/\b(?:def|class)\s+\w*/) ? null : source(context);
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), lintGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(),
        autocompletion({ override: [suggest, unlessDefined(localCompletionSource), unlessDefined(globalCompletion)] }),
        highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(),
        EditorState.tabSize.of(4), indentUnit.of("    "), python(),
        syntaxHighlighting(colours), theme,
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        EditorView.updateListener.of((update) => { if (update.docChanged) onChange(); }),
        keymap.of([
          ...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap,
          ...defaultKeymap, indentWithTab,
        ]),
      ],
    }),
  });
  const lineAt = (number) => view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
  return {
    text: () => view.state.doc.toString(),
    replace: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    showProblems: (problems) => view.dispatch(setDiagnostics(view.state, problems.map(({ line, message }) => {
      const { from, to } = lineAt(line);
      return { from, to, severity: "error", message };
    }))),
    goToLine: (line) => {
      const { from } = lineAt(line);
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      view.focus();
    },
  };
}
