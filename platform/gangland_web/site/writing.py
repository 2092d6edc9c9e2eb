"""How templates write values: made safe to show and escaped in one step, for a page of a hundred rows has thousands.

What a form's field holds is only escaped: it is sent back, and must come back as it was typed.
"""

from __future__ import annotations

import re
from typing import Any, Final

from jinja2 import Environment, nodes
from jinja2.compiler import CodeGenerator
from jinja2.ext import Extension
from markupsafe import Markup, escape

from gangland_web.base.text import shown

is_plain: Final = re.compile(r"[ !#-%(-;=?-~]*").fullmatch
"""Printable ASCII without what stands for markup: what most values are, and needs nothing."""

_VALUE: Final = re.compile(r"\{\{(.*?)\}\}")
_FIELD: Final = re.compile(r'(?<!<option) value="(?:[^"{]|\{\{.*?\}\}|\{%.*?%\})*"|>\s*\{\{[^{}]*\}\}(?=</textarea>)')
"""The value of an input, or the text of a text area, with what a template writes there."""


def written(value: Any) -> str:
    """Return what stands in a page for a value: markup of ours as it is, all else as text that can be seen."""
    kind = type(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]
    if kind is int or kind is float:
        return repr(value)
    if kind is not str:
        return escape(value)
    return value if is_plain(value) else escape(shown(value))


def as_typed(value: Any) -> Markup:
    """Return what a field holds, with every character: escaped, and a carriage return kept from the page's reader."""
    return Markup(escape(value).replace("\r", "&#13;"))  # noqa: S704 (escaped)


class Fields(Extension):
    """Has templates write what stands in a field of a form by `as_typed`."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return a template's source with that filter at every field."""
        return _FIELD.sub(lambda field: _VALUE.sub(r"{{ (\1) | as_typed }}", field[0]), source)


class Code(CodeGenerator):
    """Jinja's code, but for how it writes what is not known before."""

    def _output_child_pre(self, node: nodes.Expr, frame: Any, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile:
            self.write("(environment.written(")
        else:
            super()._output_child_pre(node, frame, finalize)


def init_writing(environment: Environment) -> None:
    """Have templates write values so; call it before the first is compiled."""
    environment.code_generator_class = Code
    environment.extend(written=written)
    environment.filters["as_typed"] = as_typed
    environment.add_extension(Fields)
