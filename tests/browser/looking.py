"""Looking at one page: what it loads and weighs, what it says of itself, and what axe finds in it."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Literal

from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Request
from tests.browser.pages import Shown
from tests.browser.site import DESK, PHONE, FilledSite

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
ZONE = "Asia/Kathmandu"  # times are longest there
SEEN_RULES = ["color-contrast", "target-size", "link-in-text-block", "scrollable-region-focusable"]
"""Rules whose verdict depends on colors and widths; the others say the same of one document, however it is shown."""

WATCH = """
window.gates = { shift: 0, shifted: [], refused: [] };
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    window.gates.shift += entry.value;
    for (const source of entry.sources) {
      const node = source.node?.nodeType === 1 ? source.node : source.node?.parentElement;
      window.gates.shifted.push(node?.outerHTML.slice(0, 160) ?? "?");
    }
  }
}).observe({ type: "layout-shift", buffered: true });
addEventListener("securitypolicyviolation", event =>
  window.gates.refused.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""
_ALIKE = """every => {
  const grounds = new Map(), groundOf = new Map(), kinds = new Map();
  const looks = style => [style.backgroundColor, style.backgroundImage, style.opacity, style.position, style.filter];
  for (const part of document.querySelectorAll("body, body *")) {
    part.removeAttribute("data-weighed");
    const style = getComputedStyle(part);
    const ground = [groundOf.get(part.parentElement), part.tagName, part.getAttribute("class"), ...looks(style)].join();
    if (!grounds.has(ground)) grounds.set(ground, grounds.size);
    groundOf.set(part, grounds.get(ground));
    const says = Array.from(part.childNodes).some(node => node.nodeType === 3 && node.data.trim());
    if (!says && !part.matches("input, select, textarea, button")) continue;
    if (!part.checkVisibility({ visibilityProperty: true })) continue;
    const own = [style.color, style.fontSize, style.fontWeight, style.textShadow, part.matches(":disabled")];
    const kind = [groundOf.get(part), ...own].join();
    if (!kinds.has(kind)) kinds.set(kind, []);
    kinds.get(kind).push(part);
  }
  for (const alike of kinds.values())
    for (const part of every ? alike : [alike[0], alike[alike.length >> 1], alike.at(-1)])
      part.setAttribute("data-weighed", "");
  axe.configure({ rules: [{ id: "color-contrast", selector: "[data-weighed]" }] });
}"""
_AXE = """async ([tags, rules, contrast]) => {
  const how = { runOnly: rules.length ? { type: "rule", values: rules } : { type: "tag", values: tags },
                resultTypes: ["violations"],
                rules: { "target-size": { enabled: true }, "color-contrast": { enabled: contrast } } };
  const found = await axe.run(document, how);
  return found.violations.flatMap(rule => rule.nodes.map(node =>
    `${rule.id}: ${node.html.slice(0, 220)} | ${(node.any[0] ?? node.all[0] ?? node.none[0])?.message ?? ""}`));
}"""
_SETTLED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
_SIDEWAYS = """() => {
  const room = document.documentElement.clientWidth;
  const found = [];
  if (document.scrollingElement.scrollWidth > room) {
    for (const part of document.querySelectorAll("body *")) {
      const edge = part.getBoundingClientRect();
      if (edge.right <= room + 1 || !edge.width) continue;
      found.push(`${Math.round(edge.right)} px: ${part.outerHTML.slice(0, 160)}`);
    }
    found.unshift(`${document.scrollingElement.scrollWidth} px wide in ${room}`);
  }
  for (const root of [document.documentElement, document.body])
    if (/hidden|clip/.test(getComputedStyle(root).overflowX)) found.push(`${root.tagName} hides what is too wide`);
  return found.slice(0, 6);
}"""
_CUT_TABLES = """() => Array.from(document.querySelectorAll(".scroll")).filter(box =>
  box.checkVisibility() && box.querySelector("table:not(.matrix, .diff)") && box.scrollWidth > box.clientWidth + 1
).map(box => `${box.scrollWidth} px in ${box.clientWidth}: ${box.getAttribute("aria-label")}`)"""
_CLIPPED = """() => Array.from(document.querySelectorAll("body *")).filter(part => {
  const style = getComputedStyle(part), edge = part.getBoundingClientRect();
  if (!part.textContent.trim() || edge.width < 2 || edge.height < 2 || part.closest(".vh, svg")) return false;
  const own = Array.from(part.childNodes).some(node => node.nodeType === 3 && node.data.trim());
  const cut = value => /hidden|clip/.test(value);
  if (style.textOverflow === "ellipsis" && part.title) return false;
  return own && (cut(style.overflowX) && part.scrollWidth > part.clientWidth + 1
              || cut(style.overflowY) && part.scrollHeight > part.clientHeight + 1);
}).slice(0, 6).map(part => part.outerHTML.slice(0, 160))"""
_GAPS = """() => Array.from(document.querySelectorAll("time[datetime*=T]")).filter(part => {
  if (part.closest("td, .tv") || !part.checkVisibility()) return false; // a screen on a phone still has a gap
  const range = document.createRange();
  range.selectNodeContents(part);
  return part.getBoundingClientRect().width - range.getBoundingClientRect().width > 2;
}).map(part => part.outerHTML.slice(0, 160))"""
_UNSEEN_FOCUS = """() => {
  const all = "a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex='-1'])";
  const looks = part => { const s = getComputedStyle(part);
    return [s.outlineStyle, s.outlineWidth, s.outlineColor, s.boxShadow, s.borderColor, s.backgroundColor].join(); };
  const found = [];
  for (const part of document.querySelectorAll(all)) {
    if (part.disabled || part.type === "hidden" || !part.checkVisibility({ visibilityProperty: true })) continue;
    document.activeElement?.blur();
    const before = looks(part);
    part.focus({ preventScroll: true });
    if (document.activeElement !== part) found.push(`takes no focus: ${part.outerHTML.slice(0, 160)}`);
    else if (looks(part) === before) found.push(`looks the same with the focus: ${part.outerHTML.slice(0, 160)}`);
  }
  document.activeElement?.blur();
  return found.slice(0, 6);
}"""
_FAINT = """() => Array.from(document.querySelectorAll("a, button, p, h1, h2, td, th, label, summary")).filter(part => {
  if (!part.checkVisibility({ visibilityProperty: true }) || !part.textContent.trim()) return false;
  let behind = part;
  while (behind && /^rgba\\(.*, 0\\)$/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
  return behind && getComputedStyle(part).color === getComputedStyle(behind).backgroundColor;
}).slice(0, 6).map(part => part.outerHTML.slice(0, 160))"""
_SHAPE = """() => {
  const all = document.querySelectorAll("h1, h2, h3, h4, h5, h6");
  const heads = Array.from(all, head => [Number(head.tagName[1]), head.textContent]);
  const ids = Array.from(document.querySelectorAll("[id]"), part => part.id);
  return {
    lang: document.documentElement.lang, title: document.title,
    headings: heads, repeated: ids.filter((id, at) => ids.indexOf(id) !== at),
  };
}"""


@dataclass
class Looked:
    """An open page; `weights` and `scripts` are bytes as sent, by address, headers only in `weights`."""

    page: Page
    status: int = 0
    html: str = ""
    weights: dict[str, int] = field(default_factory=dict)
    scripts: dict[str, int] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        return sum(self.weights.values())

    @property
    def script_bytes(self) -> int:
        return sum(self.scripts.values())

    def settle(self) -> None:
        """Wait until two frames are drawn, so that changes are laid out."""
        self.page.evaluate(_SETTLED)

    def axe(self, *rules: str, contrast: bool = True, all_text: bool = False) -> list[str]:
        """Return what axe reports; of equal elements, the contrast of the first, middle and last only."""
        if not self.page.evaluate("() => 'axe' in window"):
            self.page.evaluate(AXE)
        self.page.evaluate(_ALIKE, all_text)
        return list(self.page.evaluate(_AXE, [TAGS, list(rules), contrast]))

    def shift(self) -> list[str]:
        """Return what moved without any input since the page was opened."""
        gates = self.page.evaluate("() => window.gates")
        return [f"layout shift {gates['shift']:.4f}", *gates["shifted"]] if gates["shift"] > 0 else []

    def refused(self) -> list[str]:
        return list(self.page.evaluate("() => window.gates.refused"))

    def sideways(self) -> list[str]:
        return list(self.page.evaluate(_SIDEWAYS))

    def too_long(self) -> list[str]:
        """Return the page's height in screens if there are more than ten."""
        screens = self.page.evaluate("() => document.documentElement.scrollHeight / innerHeight")
        return [f"{screens:.1f} screens"] if screens > 10 else []

    def cut_tables(self) -> list[str]:
        """Return tables with a column that only scrolling shows; a cross table grows with its bots."""
        return list(self.page.evaluate(_CUT_TABLES))

    def clipped(self) -> list[str]:
        return list(self.page.evaluate(_CLIPPED))

    def gaps(self) -> list[str]:
        """Return times in sentences that are followed by a gap."""
        return list(self.page.evaluate(_GAPS))

    def unseen_focus(self) -> list[str]:
        self.page.keyboard.press("Tab")  # so that the browser shows the focus as it does for a keyboard
        return list(self.page.evaluate(_UNSEEN_FOCUS))

    def faint(self) -> list[str]:
        return list(self.page.evaluate(_FAINT))

    def shape(self) -> Mapping[str, Any]:
        """Return the language, the title, the headings as (level, text) and duplicate ids."""
        shape: Mapping[str, Any] = self.page.evaluate(_SHAPE)
        return shape

    def as_on(self, size: Mapping[str, int], *, dark: bool = False, forced: bool = False) -> None:
        self.page.set_viewport_size(size)  # type: ignore[arg-type]
        self.page.emulate_media(color_scheme="dark" if dark else "light", forced_colors="active" if forced else "none")
        self.settle()


@contextmanager
def opened_tab(filled: FilledSite, browser: Browser, *, owner: bool = False, boss: bool = False) -> Iterator[Page]:
    """Open one tab for several pages: its process costs as much CPU as a page."""
    with filled.visitor(browser, signed_in=owner, boss=boss, timezone_id=ZONE) as context:
        context.add_init_script(WATCH)
        yield context.new_page()


@contextmanager
def looked_at(
    filled: FilledSite,
    browser: Browser,
    shown: Shown,
    *,
    size: Mapping[str, int] = PHONE,
    dark: bool = False,
    tab: Page | None = None,
) -> Iterator[Looked]:
    """Open a page with a cold cache, on a phone with light colors by default; without `tab`, in a new tab."""
    with ExitStack() as stack:
        page = tab or stack.enter_context(opened_tab(filled, browser, owner=shown.owner, boss=shown.boss))
        page.set_viewport_size(size)  # type: ignore[arg-type]
        scheme: Literal["dark", "light"] = "dark" if dark else "light"
        page.emulate_media(color_scheme=scheme, forced_colors="none", reduced_motion="no-preference")
        looked = Looked(page)
        site = filled.empty if shown.empty else filled.address
        stack.enter_context(_listening(looked, site))
        answer = page.goto(site + shown.address(filled.places))
        if shown.act is not None:
            looked.weights.clear()
            with page.expect_event("response", lambda response: response.request.is_navigation_request()) as sent:
                shown.act(page)
            answer = sent.value
            page.wait_for_load_state()
        for inside in ("", "details[open] details ") if shown.unfolded else ():
            for summary in page.locator(f"main {inside}summary:visible").all()[:: shown.unfolded]:
                summary.click()
        assert answer is not None
        looked.status, looked.html = answer.status, answer.text()
        looked.settle()
        yield looked
        if tab is not None:
            page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
            if not (shown.owner or shown.boss):
                page.context.clear_cookies()  # a form's cookie; a page is sent uncompressed to a visitor with one


@contextmanager
def _listening(looked: Looked, site: str) -> Iterator[None]:
    page, kinds = looked.page, dict[str, tuple[str, str]]()

    def came(event: Mapping[str, Any]) -> None:
        kinds[event["requestId"]] = (event["response"]["url"], event["type"])

    def ended(event: Mapping[str, Any]) -> None:
        url, _ = kinds.get(event["requestId"], ("", ""))
        looked.weights[url] = looked.weights.get(url, 0) + int(event["encodedDataLength"])

    def arrived(event: Mapping[str, Any]) -> None:
        url, kind = kinds.get(event["requestId"], ("", ""))
        if kind == "Script":
            looked.scripts[url] = looked.scripts.get(url, 0) + int(event["encodedDataLength"])

    wire = page.context.new_cdp_session(page)
    wire.on("Network.responseReceived", came)
    wire.on("Network.dataReceived", arrived)
    wire.on("Network.loadingFinished", ended)
    wire.send("Network.enable")
    wire.send("Network.clearBrowserCache")

    def sent(request: Request) -> None:
        if not request.url.startswith((site, "data:")):
            looked.foreign.append(request.url)

    def logged(said: ConsoleMessage) -> None:
        if said.type in {"error", "warning"}:
            looked.said.append(f"{said.text} ({said.location['url']})")

    def thrown(error: Error) -> None:
        looked.said.append(f"{error}")

    page.on("request", sent)
    page.on("console", logged)
    page.on("pageerror", thrown)
    yield
    page.remove_listener("request", sent)
    page.remove_listener("console", logged)
    page.remove_listener("pageerror", thrown)
    wire.detach()


__all__ = ["DESK", "PHONE", "SEEN_RULES", "WATCH", "Looked", "looked_at", "opened_tab"]
