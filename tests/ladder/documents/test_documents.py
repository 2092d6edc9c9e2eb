"""Each document that a command prints has a model, a name of its own, a title, and words for what it is."""

import re
from collections import Counter
from importlib import import_module
from pkgutil import iter_modules

import gangland_ladder.documents
from gangland_ladder.cli import schemas
from gangland_ladder.common.documents import Document


def models() -> list[type[Document]]:
    for module in schemas.MODULES:
        import_module(module)
    return Document.__subclasses__()


def test_no_two_documents_have_one_name_and_each_names_its_version() -> None:
    names = Counter(str(model.__struct_config__.tag) for model in models())
    assert max(names.values()) == 1, names.most_common(1)
    assert not [name for name in names if not re.fullmatch(r"gangland/[a-z]+(-[a-z]+)*/[1-9]", name)]
    assert schemas.names() == sorted(names)


def test_no_document_is_left_out_of_the_published_schemas() -> None:
    folder = gangland_ladder.documents
    assert {f"{folder.__name__}.{each.name}" for each in iter_modules(folder.__path__)} <= set(schemas.MODULES)


def test_each_document_has_a_title_and_says_what_it_is() -> None:
    for model in models():
        assert model.title, model
        assert schemas.schema(str(model.__struct_config__.tag))["description"].endswith("."), model
