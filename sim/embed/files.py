"""Model files that lie in installed packages, and what tells one set of weights from another."""

from hashlib import file_digest, sha256
from importlib.util import find_spec
from pathlib import Path

from sim.errors import EmbedderError

# Documents and other runtimes' copies of the same weights say nothing about the vectors.
_TOLD_BY = {".safetensors", ".bin", ".json", ".txt", ".model"}
_OTHER_RUNTIMES = {"onnx", "openvino"}


def package_folder(package: str, install: str) -> Path:
    """Folder of an installed package, found without importing it.

    Args:
        package: import name.
        install: what to install when it is absent, for the message.

    Raises:
        EmbedderError: the package is not installed.
    """
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise EmbedderError(f"package {package} is not installed: run pip install {install}")
    return Path(spec.origin).parent


def sha256_of(path: Path) -> str:
    """Hexadecimal sha256 of a file.

    Raises:
        EmbedderError: the file cannot be read.
    """
    try:
        with path.open("rb") as stream:
            return file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        reason = error.strerror or error
        raise EmbedderError(f"model file {path} cannot be read ({reason}): reinstall the package") from error


def verified(path: Path, digest: str) -> Path:
    """The path, when the file's sha256 is ``digest``.

    Raises:
        EmbedderError: the file is another one; its vectors would not be the ones we know.
    """
    found = sha256_of(path)
    if found != digest:
        raise EmbedderError(f"model file {path} has sha256 {found}, not {digest}: reinstall the package")
    return path


def folder_digest(folder: Path) -> str:
    """One sha256 over the names and contents of all files of a model folder that shape its vectors."""
    total = sha256()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.suffix in _TOLD_BY and not _OTHER_RUNTIMES & set(name.parts):
            total.update(f"{name.as_posix()}\0{sha256_of(path)}\n".encode())
    return total.hexdigest()
