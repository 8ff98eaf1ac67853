"""Reports in a real browser: nothing goes wrong, all can be reached by keyboard, and search finds.

Run by `make test-browser`; needs Debian's chromium and chromium-driver. Set NOODLE_SCREENSHOTS to a folder
to keep pictures of what the tests saw.
"""

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reports import EVIL, EVIL_WORDS, hostile_run, real_run, sweep
from sample_run import DAY_MS, events, missed, probe, visit, write_run

from sim.metrics.wording import harmless
from sim.records import Event, Probe, Visit, canonical
from sim.report import write_report
from sim.tables import part_path, write_table

webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium, of the extra `browser`")
wait = pytest.importorskip("selenium.webdriver.support.wait", reason="needs selenium, of the extra `browser`")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="apt install chromium chromium-driver"),
]
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
REACHED = "a[href], button, input, summary, [tabindex='0']"
MANY = 5000
LONG = "And nobody stops talking here. " * 50


class Window:
    """A browser window on reports."""

    def __init__(self, driver: Any, shots: Path | None) -> None:
        self.driver = driver
        self._shots = shots

    def open(self, page: Path, *, scheme: str = "light", width: int = 1100) -> None:
        self.driver.set_window_size(width, 1400)
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        self.driver.get(page.as_uri())
        wait.WebDriverWait(self.driver, 60).until(lambda _: self.ask("document.readyState") == "complete")

    def ask(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(f"return {script}", *arguments)

    def type(self, *keys: str) -> None:
        self.driver.switch_to.active_element.send_keys(*keys)

    def errors(self) -> list[Any]:
        found: list[Any] = self.driver.get_log("browser")
        return found

    def shoot(self, name: str, at: str = "") -> None:
        if self._shots is not None:
            if at:
                self.ask("document.getElementById(arguments[0]).scrollIntoView()", at)
            self.driver.save_screenshot(str(self._shots / f"{name}.png"))


@pytest.fixture(scope="module")
def window() -> Iterator[Window]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    # What a page would ask of a network fails here, and would show among the errors.
    driver.execute_cdp_cmd("Network.enable", {})
    offline = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
    driver.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
    shots = os.environ.get("NOODLE_SCREENSHOTS")
    if shots:
        Path(shots).mkdir(parents=True, exist_ok=True)
    yield Window(driver, Path(shots) if shots else None)
    driver.quit()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    runs = {
        "real": real_run(folder / "real"),
        "hostile": hostile_run(folder / "hostile"),
        "sweep": sweep(folder / "sweep"),
    }
    return {name: write_report(run) for name, run in runs.items()}


NAMES = pytest.mark.parametrize("name", ["real", "hostile", "sweep"])


@NAMES
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_opens_without_an_error_and_asks_nothing(
    window: Window, pages: dict[str, Path], name: str, scheme: str
) -> None:
    window.open(pages[name], scheme=scheme)
    assert window.ask("document.querySelectorAll('section').length") >= 5
    assert window.ask("performance.getEntriesByType('resource').length") == 0
    for section in window.ask("[...document.querySelectorAll('section')].map(one => one.id)"):
        window.shoot(f"{name}-{scheme}-{section}", section)
    assert window.errors() == []


def contrast(one: str, other: str) -> float:
    """Contrast of two colours. Source: WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio"""

    def luminance(colour: str) -> float:
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_light_and_dark_are_both_readable(window: Window, pages: dict[str, Path]) -> None:
    backgrounds = set()
    for scheme in ("light", "dark"):
        window.open(pages["sweep"], scheme=scheme)
        style = "getComputedStyle(document.querySelector(arguments[0])).{}"
        paper = window.ask(style.format("backgroundColor"), "body")
        panel = window.ask(style.format("backgroundColor"), ".loss")
        backgrounds.add(paper)
        assert contrast(window.ask(style.format("color"), "body"), paper) > 7
        assert contrast(window.ask(style.format("fill"), "svg text"), paper) > 7
        assert contrast(window.ask(style.format("color"), "nav a"), paper) > 4.5
        for part in (".loss strong", ".way .yes", ".way .no"):
            assert contrast(window.ask(style.format("color"), part), panel) > 4.5
    assert len(backgrounds) == 2


@NAMES
def test_the_keyboard_reaches_everything_and_shows_where_it_is(
    window: Window, pages: dict[str, Path], name: str
) -> None:
    window.open(pages[name])
    seen = f"[...document.querySelectorAll(`{REACHED}`)].filter(one => one.checkVisibility())"
    window.ask(f"{seen}.forEach((one, place) => one.dataset.place = place)")
    count = window.ask(f"{seen}.length")
    assert count >= 20
    reached = []
    for _ in range(count):
        window.type("\ue004")
        place, outline = window.ask(
            "[document.activeElement.dataset.place, getComputedStyle(document.activeElement).outlineStyle]"
        )
        reached.append(int(place))
        assert outline == "solid"
    assert reached == list(range(count))


def test_the_skip_link_and_a_folded_part_work_by_keyboard(window: Window, pages: dict[str, Path]) -> None:
    window.open(pages["real"])
    window.type("\ue004")
    assert window.ask("document.activeElement.className") == "skip"
    window.type("\ue007")
    assert window.ask("document.activeElement.id") == "main"
    window.ask("document.querySelector('figure summary').focus()")
    window.type("\ue007")
    assert window.ask("document.querySelector('figure details').open")
    assert window.ask("document.querySelector('figure table').checkVisibility()")
    window.shoot("numbers", "recall")


def search(window: Window, words: str) -> str:
    window.ask("document.getElementById('words').focus()")
    window.ask("document.getElementById('words').value = ''")
    window.type(words, "\ue007")
    status: str = window.ask("document.getElementById('status').textContent")
    return status


def test_search_finds_words_marks_them_and_says_how_many(window: Window, pages: dict[str, Path]) -> None:
    window.open(pages["sweep"])
    assert search(window, "USUAL flat") == "2 visits found, 2 shown"
    assert set(window.ask("[...document.querySelectorAll('#hits mark')].map(one => one.textContent)")) == {
        "usual"
    }
    window.shoot("search", "search")
    assert search(window, "nobody-said-this") == "Nothing found."
    assert window.ask("document.querySelectorAll('#hits li').length") == 0
    assert search(window, " ") == "Give at least one word."
    assert window.errors() == []


def test_what_a_customer_says_is_shown_and_never_obeyed(window: Window, pages: dict[str, Path]) -> None:
    window.open(pages["hostile"])
    assert search(window, "ramen") == "2 visits found, 2 shown"
    window.ask("document.querySelectorAll('details').forEach(one => one.open = true)")
    shown = window.ask("document.body.innerText")
    assert harmless(EVIL) in shown
    assert " ".join(harmless(EVIL_WORDS).split()) in " ".join(shown.split())
    assert window.ask("document.images.length") == 0
    assert window.ask("document.scripts.length") == 2
    assert window.ask("document.title") != "owned"
    window.shoot("hostile-open", "worst")
    assert window.errors() == []


@NAMES
def test_a_narrow_window_needs_no_scrolling_sideways(
    window: Window, pages: dict[str, Path], name: str
) -> None:
    window.open(pages[name], width=500)
    window.shoot(f"{name}-narrow")
    assert window.ask("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_report_of_thousands_of_visits_stays_small_and_opens(window: Window, tmp_path: Path) -> None:
    folder = write_run(tmp_path / "many", [])
    rows, probes, visits = [], [], []
    for number in range(MANY):
        who, at = f"c-{number % 900:03d}", number * DAY_MS // 90
        said = canonical({"text": f"Tonkotsu for {who}, please. " + LONG})
        for row in events()[:6]:
            words = said if row.kind == "said" else row.payload
            mine = replace(row, customer=who, visit=f"{who}/{number}", time_ms=at, payload=words)
            rows.append(replace(mine, seq=len(rows)))
        probes.append(missed(customer=who, visit=f"{who}/{number}", time_ms=at, fact=f"f-{number}"))
        visits.append(visit(customer=who, visit=f"{who}/{number}", arrived_ms=at, left_ms=at + 1))
    write_table(part_path(folder / "events", 0), rows, Event)
    part_path(folder / "events", 1).unlink()
    write_table(folder / "recall.parquet", [*probes, probe()], Probe)
    write_table(folder / "visits.parquet", visits, Visit)
    page = write_report(folder)
    assert page.stat().st_size < 10_000_000
    window.open(page)
    took = window.ask("performance.getEntriesByType('navigation')[0].loadEventEnd")
    print(f"{page.stat().st_size / 1e6:.1f} MB, opened in {took / 1000:.2f} s")
    assert re.search(f"[1-4]... of {MANY} visits can be searched", window.ask("document.body.innerText"))
    assert "found" in search(window, "c-007 tonkotsu")
    assert window.errors() == []
