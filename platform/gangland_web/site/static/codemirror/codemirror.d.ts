/** What scripts/editor/entry.js exports. */

export interface Completion { label: string; type: string; detail?: string; info?: string; boost?: number }

export interface Problem {
  /** Counted from 1; a problem beyond the last line is shown at the end. */
  line: number;
  message: string;
}

export interface Editor {
  text(): string;
  /** Replace the text; the user can undo this. */
  replace(text: string): void;
  /** Mark only these lines. */
  showProblems(problems: Problem[]): void;
  goToLine(line: number): void;
}

/** Create a Python editor in a shadow root of `place`. */
export function createEditor(place: Element, given: {
  text: string;
  label: string;
  onChange: () => void;
  /** Return the completions at the cursor, after the text `before` and a chain such as "view." or "". */
  complete: (before: string, chain: string) => Completion[];
}): Editor;
