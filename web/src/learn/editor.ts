// The editor: CodeMirror, with what the verdict says of its lines.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { rust } from "@codemirror/lang-rust";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { ChangeSet, Compartment, EditorState, type Extension, StateEffect, StateField, type Text } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  WidgetType,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { el } from "../view/dom";
import type { Mark } from "./api";

const setMarks = StateEffect.define<DecorationSet>();

/** Marks move with their lines while one types. */
const marked = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMarks)) return effect.value;
    return marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** What happened at a line, below it. */
class Note extends WidgetType {
  constructor(
    private readonly texts: string[],
    private readonly isMain: boolean,
  ) {
    super();
  }

  override eq(other: Note): boolean {
    return this.texts.join("\n") === other.texts.join("\n") && this.isMain === other.isMain;
  }

  toDOM(): HTMLElement {
    return el("div", { class: "mark-note" }, ...this.texts.map((text) => el("div", {}, text)));
  }
}

const CODE = { cpp, rust };

export class Editor {
  readonly view: EditorView;
  /** The text that is on disk, as far as the page knows, and what was typed since. */
  private saved: Text;
  private since: ChangeSet;
  /** The same of a text that is on its way there. */
  private sent: { doc: Text; since: ChangeSet } | undefined;
  private readonly code = new Compartment();
  private readonly name = new Compartment();

  /** `change` is called after each edit. */
  constructor(
    private readonly nonce: string,
    private readonly change: () => void,
    private readonly describedBy: string,
  ) {
    this.view = new EditorView({ state: this.state("", "cpp", "") });
    this.saved = this.view.state.doc;
    this.since = ChangeSet.empty(0);
  }

  private state(text: string, code: keyof typeof CODE, name: string): EditorState {
    const extensions: Extension[] = [
      EditorView.cspNonce.of(this.nonce),
      lineNumbers(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      EditorView.lineWrapping,
      indentOnInput(),
      indentUnit.of("    "),
      bracketMatching(),
      syntaxHighlighting(classHighlighter),
      keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
      marked,
      this.code.of(CODE[code]()),
      this.name.of(EditorView.contentAttributes.of({ "aria-label": name, "aria-describedby": this.describedBy, tabindex: "0" })),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        this.since = this.since.compose(update.changes);
        if (this.sent) this.sent.since = this.sent.since.compose(update.changes);
        this.change();
      }),
    ];
    return EditorState.create({ doc: text, extensions });
  }

  /** Shows another file. What was typed before cannot be taken back into it. */
  open(saved: string, text: string, code: keyof typeof CODE, name: string): void {
    this.view.setState(this.state(saved, code, name));
    this.saved = this.view.state.doc;
    this.since = ChangeSet.empty(this.saved.length);
    this.sent = undefined;
    if (text !== saved) this.view.dispatch({ changes: { from: 0, to: this.saved.length, insert: text } });
    this.change();
  }

  /** Takes another text from disk, as an edit that can be taken back. */
  take(text: string): void {
    const { view } = this;
    const at = Math.min(view.state.selection.main.head, text.length);
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: at } });
    this.send();
    this.arrived();
  }

  text(): string {
    return this.view.state.doc.toString();
  }

  /** The text as it is now goes to the disk. */
  send(): string {
    const { doc } = this.view.state;
    this.sent = { doc, since: ChangeSet.empty(doc.length) };
    return doc.toString();
  }

  /** It is there. */
  arrived(): void {
    if (!this.sent) return;
    this.saved = this.sent.doc;
    this.since = this.sent.since;
    this.sent = undefined;
    this.change();
  }

  isDirty(): boolean {
    return !this.saved.eq(this.view.state.doc);
  }

  /** Marks lines of the saved text, wherever they are by now. */
  mark(marks: Mark[]): void {
    const { doc } = this.view.state;
    const lines = new Map<number, Mark[]>();
    for (const mark of marks) {
      if (mark.line < 1 || mark.line > this.saved.lines) continue;
      const at = this.since.mapPos(this.saved.line(mark.line).from, 1);
      const line = doc.lineAt(Math.min(at, doc.length)).number;
      lines.set(line, [...(lines.get(line) ?? []), mark]);
    }
    const ranges = [...lines].flatMap(([number, of]) => {
      const line = doc.line(number);
      const isMain = of.some((mark) => mark.is_main);
      const note = new Note([...new Set(of.map((mark) => mark.text))], isMain);
      return [
        Decoration.line({ class: "marked" }).range(line.from),
        Decoration.widget({ widget: note, block: true, side: 1 }).range(line.to),
      ];
    });
    this.view.dispatch({ effects: setMarks.of(Decoration.set(ranges, true)) });
  }
}
