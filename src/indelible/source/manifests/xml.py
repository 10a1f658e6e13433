"""Manifests of Java, Kotlin and .NET: XML, and Gradle's scripts. The rules of `manifest_formats` hold here."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any
from xml.etree.ElementTree import TreeBuilder
from xml.parsers import expat

from indelible.sanitize import bounded
from indelible.source.manifests.values import Manifest, clean_name, names_of


def xml_root(text: str) -> Any:
    """The root of a document; ValueError if it is none, has a document type or is nested too deeply.

    Tags and attributes keep no namespaces: each of ten thousand names would hold a copy of a long one.
    """
    builder = TreeBuilder()
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > bounded.DEEPEST:
            raise ValueError(f"it is nested deeper than {bounded.DEEPEST} levels")
        builder.start(tag.rpartition(":")[2], attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag.rpartition(":")[2])

    def refuse(*_: Any) -> None:
        raise ValueError("it has a document type, which may hold entities without end")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = builder.data, refuse
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise ValueError(f"not XML: {error}") from error
    return builder.close()


def texts(node: Any, *path: str) -> list[str]:
    """The texts at the end of a path of tags."""
    return [found.text.strip() for found in node.iterfind("/".join(path)) if found.text]


def _coordinates(node: Any) -> str:
    return ":".join([*texts(node, "groupId")[:1], *texts(node, "artifactId")[:1]])


def pom(path: str, text: str) -> Manifest:
    """A pom.xml of Maven."""
    project = xml_root(text)
    nodes = [node for tag in ("dependency", "parent", "plugin") for node in project.iter() if node.tag == tag]
    needs = names_of(map(_coordinates, nodes))
    return Manifest(
        path,
        "maven",
        "kotlin" if any(need.startswith("org.jetbrains.kotlin:") for need in needs) else "java",
        clean_name(next(iter(texts(project, "artifactId")), None)),
        needs,
        names_of(texts(project, "modules", "module")),
    )


_GRADLE_NEED = re.compile(
    r"\b(?:implementation|api|compileOnly|runtimeOnly|classpath|annotationProcessor|kapt|ksp|developmentOnly"
    r"|test\w*|androidTest\w*|debug\w*)[ \t]*+\(?[ \t]*+(?:platform\()?[ \t]*+[\"']([\w.-]++:[\w.-]++)[^\"'\n]*+[\"']"
)
_GRADLE_PLUGIN = re.compile(r"\bid[ \t]*+\(?[ \t]*+[\"']([\w.-]++)[\"']|\bkotlin\([\"']([\w.-]+)[\"']\)")


def gradle(path: str, text: str) -> Manifest:
    """A build.gradle, in Groovy or Kotlin."""
    plugins = [found[1] or f"org.jetbrains.kotlin.{found[2]}" for found in _GRADLE_PLUGIN.finditer(text)]
    kotlin = any(plugin.startswith("org.jetbrains.kotlin") for plugin in plugins)
    needs = (found[1] for found in _GRADLE_NEED.finditer(text))
    return Manifest(
        path,
        "maven",
        "kotlin" if kotlin else "java",
        dependencies=names_of([*plugins, *needs]),
        commands="application" in plugins or bool(re.search(r"^[ \t]*application\s*$", text, re.MULTILINE)),
        importable="java-library" in plugins or "`java-library`" in text,
    )


def gradle_settings(path: str, text: str) -> Manifest:
    """A settings.gradle."""
    name = re.search(r"rootProject\.name\s*=\s*[\"']([^\"'\n]+)[\"']", text)
    members = (member.strip(":").replace(":", "/") for member in gradle_members(text))
    return Manifest(path, "maven", "java", clean_name(name[1] if name else None), members=names_of(members))


def gradle_members(text: str) -> Iterator[str]:
    """The projects that a settings file includes, as written."""
    goes_on = False  # a list ends with the first line that does not end in a comma
    for line in text.splitlines():
        if goes_on or re.match(r"[ \t]*include\b", line):
            yield from re.findall(r"[\"']([^\"']+)[\"']", line)
            goes_on = line.rstrip().endswith((",", "("))


DOTNET = {".csproj": "csharp", ".fsproj": "fsharp", ".vbproj": "visual-basic"}


def xml_project(path: str, text: str) -> Manifest:
    """A project file of .NET."""
    project = xml_root(text)
    file = PurePosixPath(path)
    references = [n.get("Include") for n in project.iter() if n.tag in ("PackageReference", "FrameworkReference")]
    needs = [name.lower() for name in [project.get("Sdk"), *references] if name]
    output = texts(project, "PropertyGroup", "OutputType")
    return Manifest(
        path,
        "nuget",
        DOTNET[file.suffix],
        clean_name(next(iter(texts(project, "PropertyGroup", "AssemblyName")), file.stem)),
        names_of(needs),
        commands=output == ["Exe"] and "microsoft.net.sdk.web" not in needs,
        importable=not output,
    )
