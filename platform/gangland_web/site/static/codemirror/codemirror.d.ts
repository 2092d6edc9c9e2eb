/** What scripts/editor/entry.js exports. */

export interface Completion { label: string; type: string; detail?: string; info?: string; boost?: number }

export interface Problem {
  /** From 1; one that the text does not have is shown at its end. */
  line: number;
  message: string;
}

export interface Editor {
  text(): string;
  /** Set another text, which undo takes back. */
  replace(text: string): void;
  /** Mark these lines, and no others. */
  showProblems(problems: Problem[]): void;
  goToLine(line: number): void;
}

/** An editor of Python in a shadow root of `place`. */
export function createEditor(place: Element, given: {
  text: string;
  label: string;
  onChange: () => void;
  /** What may stand after `before` and `chain`, such as "view." or "", at the place of the cursor. */
  complete: (before: string, chain: string) => Completion[];
}): Editor;
