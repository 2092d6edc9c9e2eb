// @ts-check
/** Plays a step at regular intervals, at one of five speeds. */

export const SPEEDS = [0.25, 0.5, 1, 2, 4];
const STEP_MS = 1400;

export class Clock {
  /** @param {() => boolean} step takes one step, and returns whether there are more */
  constructor(step) {
    this.step = step;
    this.pace = 2;
    this.timer = 0;
  }

  get playing() {
    return this.timer !== 0;
  }

  get speed() {
    return SPEEDS[this.pace] ?? 1;
  }

  start() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      if (this.step()) this.start();
      else this.stop();
    }, STEP_MS / this.speed);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
  }

  /** @param {1 | -1} way */
  change(way) {
    this.pace = Math.max(0, Math.min(SPEEDS.length - 1, this.pace + way));
    if (this.playing) this.start();
  }
}
