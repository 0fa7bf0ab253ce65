"""Calls of whiptail, dialog and zenity with their output and statuses, recorded from the real programs.

Each row is one call with one outcome: the keys that a person presses in the real program, and what the person does with the
prompt that routerctl shows instead. Both must give the same bytes and the same exit status.
"""

import dataclasses

ENTER, TAB, ESC, SPACE, DOWN, ERASE = "\r", "\t", "\x1b", " ", "\x1b[B", "\x15"


@dataclasses.dataclass
class Row:
    name: str
    arguments: list
    keys: str = ""
    #: A button's label, {"fields": {label: text}, "button": label}, or None to close.
    answer: object = None
    out: str = ""
    err: str = ""
    status: int = 0
    stdin: str = ""
    environment: dict = dataclasses.field(default_factory=dict)
    #: Whether the call asks a question.
    asks: bool = True


def fill(button=None, **texts):
    return {"fields": {name.replace("_", " "): text for name, text in texts.items()}, "button": button}


def whiptail(name, arguments, keys=ENTER, answer=None, **rest):
    return Row("whiptail " + name, ["whiptail"] + arguments, keys, answer, **rest)


def dialog(name, arguments, keys=ENTER, answer=None, **rest):
    return Row("dialog " + name, ["dialog"] + arguments, keys, answer, **rest)


def zenity(name, arguments, keys="Return", answer=None, **rest):
    return Row("zenity " + name, ["zenity"] + arguments, keys, answer, **rest)


SIZE = ["12", "50"]
LIST = SIZE + ["4"]
FRUIT = ["a", "Apple", "b", "Banana", "c d", "Cherry \"x\""]
CHECKS = ["a", "Apple", "on", "b", "Banana", "off", "c d", "Cherry", "1"]
RADIO = ["a", "Apple", "off", "b", "Banana", "on", "c", "Cherry", "off"]
HELPS = ["a", "Apple", "An apple a day", "b", "Banana", "Yellow"]
ODD = ["it's", "1", "on", 'q"q', "2", "on", "$x", "3", "on", "", "4", "on", "back\\slash", "5", "on", "a;b", "6", "on"]

WHIPTAIL = [
    whiptail("msgbox, ok", ["--title", "Note", "--msgbox", "Done.\\nBye.", *SIZE], answer="Ok"),
    whiptail("msgbox, closed", ["--msgbox", "Done.", *SIZE], ESC, status=255),
    whiptail("msgbox, its own label", ["--ok-button", "Fine", "--msgbox", "Done.", *SIZE], answer="Fine"),
    whiptail("infobox", ["--infobox", "Wait", *SIZE], "", asks=False),
    whiptail("yesno, yes", ["--yesno", "Go?", *SIZE], answer="Yes"),
    whiptail("yesno, no", ["--yesno", "Go?", *SIZE], TAB + ENTER, "No", status=1),
    whiptail("yesno, closed", ["--yesno", "Go?", *SIZE], ESC, status=255),
    whiptail("yesno, default no", ["--defaultno", "--yesno", "Go?", *SIZE], answer="No", status=1),
    whiptail("yesno, labels", ["--yes-button", "Install", "--no-button=Skip", "--yesno", "Go?", *SIZE], TAB + ENTER, "Skip",
             status=1),
    whiptail("inputbox, kept", ["--inputbox", "Name", *SIZE, "init"], answer=fill(Answer="init"), err="init"),
    whiptail("inputbox, typed", ["--inputbox", "Name", *SIZE], "Ada L" + ENTER, fill(Answer="Ada L"), err="Ada L"),
    whiptail("inputbox, empty", ["--inputbox", "Name", *SIZE], ENTER, fill(Answer="")),
    whiptail("inputbox, cancelled", ["--inputbox", "Name", *SIZE, "init"], TAB + TAB + ENTER, None, status=1),
    whiptail("inputbox, closed", ["--nocancel", "--inputbox", "Name", *SIZE, "init"], ESC, None, status=1),
    whiptail("inputbox, a dash", ["--inputbox", "Name", *SIZE, "--", "-x"], answer=fill(Answer="-x"), err="-x"),
    whiptail("passwordbox", ["--passwordbox", "Secret", *SIZE], "s3 c" + ENTER, fill(Password="s3 c"), err="s3 c"),
    whiptail("passwordbox, kept", ["--passwordbox", "Secret", *SIZE, "old"], ENTER, fill(Password=""), err="old"),
    whiptail("menu, first", ["--menu", "Which?", *LIST, *FRUIT], answer="a · Apple", err="a"),
    whiptail("menu, third", ["--menu", "Which?", *LIST, *FRUIT], DOWN + DOWN + ENTER, 'c d · Cherry "x"', err="c d"),
    whiptail("menu, cancelled", ["--cancel-button", "Back", "--menu", "Which?", *LIST, *FRUIT], TAB + TAB + ENTER, "Back",
             status=1),
    whiptail("menu, closed", ["--menu", "Which?", *LIST, *FRUIT], ESC, None, status=255),
    whiptail("menu, default", ["--default-item", "b", "--menu", "Which?", *LIST, *FRUIT],
             answer=fill(Choice="b · Banana"), err="b"),
    whiptail("menu, no tags", ["--notags", "--menu", "Which?", *LIST, *FRUIT], DOWN + ENTER, "Banana", err="b"),
    whiptail("menu, no items", ["--noitem", "--menu", "Which?", *LIST, *FRUIT], DOWN + ENTER, "b", err="b"),
    whiptail("menu, same items", ["--notags", "--menu", "Which?", *LIST, "a", "Same", "b", "Same"], DOWN + ENTER, "Same (2)",
             err="b"),
    whiptail("checklist, as it is", ["--checklist", "Which?", *LIST, *CHECKS],
             answer=fill(**{"a · Apple": "yes", "b · Banana": "no", "c d · Cherry": "yes"}), err='"a" "c d"'),
    whiptail("checklist, none", ["--checklist", "Which?", *LIST, "a", "Apple", "off"], answer=fill(**{"a · Apple": "no"})),
    whiptail("checklist, lines", ["--separate-output", "--checklist", "Which?", *LIST, *CHECKS],
             answer=fill(**{"a · Apple": "yes", "b · Banana": "no", "c d · Cherry": "yes"}), err="a\nc d\n"),
    whiptail("checklist, cancelled", ["--checklist", "Which?", *LIST, *CHECKS], TAB + TAB + ENTER, None, status=1),
    whiptail("checklist, no items", ["--noitem", "--checklist", "Which?", *LIST, "a", "on", "b", "off"],
             answer=fill(a="yes", b="no"), err='"a"'),
    whiptail("checklist, odd tags", ["--checklist", "Which?", "20", "50", "8", *ODD],
             answer=fill(**{"it's · 1": "yes", 'q"q · 2': "yes", "$x · 3": "yes", "4": "yes", "back\\slash · 5": "yes",
                            "a;b · 6": "yes"}),
             err='"it\'s" "q"q" "$x" "" "back\\slash" "a;b"'),
    whiptail("radiolist, as it is", ["--radiolist", "Which?", *LIST, *RADIO], answer=fill(Choice="b · Banana"), err="b"),
    whiptail("radiolist, another", ["--radiolist", "Which?", *LIST, *RADIO], DOWN + SPACE + ENTER,
             fill(Choice="b · Banana"), err="b"),
    whiptail("radiolist, cancelled", ["--radiolist", "Which?", *LIST, *RADIO], TAB + TAB + ENTER, None, status=1),
    whiptail("textbox", ["--scrolltext", "--textbox", "/etc/debian_version", *SIZE], TAB + ENTER, "Ok"),
    whiptail("gauge", ["--gauge", "Work", *SIZE, "0"], "", stdin="10\nXXX\n50\nHalf\nXXX\n100\n", asks=False),
    whiptail("--output-fd", ["--output-fd", "200", "--inputbox", "Name", *SIZE, "init"], answer=fill(Answer="init"), out="init"),
    whiptail("an unknown option", ["--foo", "--yesno", "Go?", *SIZE], "", err="--foo: unknown option\n", status=1, asks=False),
    whiptail("an option without its value", ["--title"], "", err="--title: missing argument\n", status=1, asks=False),
]

CHECKED = fill(**{"a · Apple": "yes", "b · Banana": "no", "c d · Cherry": "yes"})
DIALOG_CHECKS = ["a", "Apple", "on", "b", "Banana", "off", "c d", "Cherry", "on"]

DIALOG = [
    dialog("msgbox, ok", ["--title", "Note", "--msgbox", "Done.", *SIZE], answer="OK"),
    dialog("msgbox, closed", ["--msgbox", "Done.", *SIZE], ESC, status=255),
    dialog("infobox", ["--infobox", "Wait", *SIZE], "", asks=False),
    dialog("yesno, yes", ["--yesno", "Go?", *SIZE], answer="Yes"),
    dialog("yesno, no", ["--yesno", "Go?", *SIZE], TAB + ENTER, "No", status=1),
    dialog("yesno, closed", ["--yesno", "Go?", *SIZE], ESC, status=255),
    dialog("yesno, default no", ["--defaultno", "--yesno", "Go?", *SIZE], answer="No", status=1),
    dialog("yesno, extra", ["--extra-button", "--extra-label", "Later", "--yesno", "Go?", *SIZE], TAB + ENTER, "Later", status=3),
    dialog("yesno, help", ["--help-button", "--yesno", "Go?", *SIZE], TAB + TAB + ENTER, "Help", status=2),
    dialog("yesno, statuses of its own", ["--yesno", "Go?", *SIZE], TAB + ENTER, "No", status=42,
           environment={"DIALOG_CANCEL": "42"}),
    dialog("yesno, Esc's status", ["--yesno", "Go?", *SIZE], ESC, status=9, environment={"DIALOG_ESC": "9"}),
    dialog("inputbox, kept", ["--inputbox", "Name", *SIZE, "init"], answer=fill(Answer="init"), err="init"),
    dialog("inputbox, typed", ["--stdout", "--inputbox", "Name", *SIZE], "Ada L" + ENTER, fill(Answer="Ada L"), out="Ada L"),
    dialog("inputbox, cancelled", ["--inputbox", "Name", *SIZE, "init"], TAB + TAB + ENTER, None, status=1),
    dialog("inputbox, extra", ["--extra-button", "--inputbox", "Name", *SIZE, "init"], TAB + TAB + ENTER,
           fill("Extra", Answer="init"), err="init", status=3),
    dialog("inputbox, help", ["--help-button", "--inputbox", "Name", *SIZE, "init"], TAB * 3 + ENTER,
           fill("Help", Answer="init"), err="init", status=2),
    dialog("passwordbox", ["--insecure", "--passwordbox", "Secret", *SIZE], "s3" + ENTER, fill(Password="s3"), err="s3"),
    dialog("menu, first", ["--backtitle", "B", "--menu", "Which?", *LIST, *FRUIT], answer="a · Apple", err="a"),
    dialog("menu, third", ["--menu", "Which?", *LIST, *FRUIT], DOWN + DOWN + ENTER, 'c d · Cherry "x"', err="c d"),
    dialog("menu, quoted", ["--quoted", "--menu", "Which?", *LIST, *FRUIT], DOWN + DOWN + ENTER, 'c d · Cherry "x"',
           err='"c d"'),
    dialog("menu, cancelled", ["--cancel-label", "Back", "--menu", "Which?", *LIST, *FRUIT], TAB + ENTER, "Back", status=1),
    dialog("menu, closed", ["--menu", "Which?", *LIST, *FRUIT], ESC, status=255),
    dialog("menu, default", ["--default-item", "b", "--menu", "Which?", *LIST, *FRUIT], answer=fill(Choice="b · Banana"),
           err="b"),
    dialog("menu, no tags", ["--no-tags", "--menu", "Which?", *LIST, *FRUIT], DOWN + ENTER, "Banana", err="b"),
    dialog("menu, no items", ["--no-items", "--menu", "Which?", *LIST, "x", "y"], DOWN + ENTER, "y", err="y"),
    dialog("menu, help", ["--help-button", "--menu", "Which?", *LIST, *FRUIT], TAB + TAB + ENTER,
           fill("Help", Choice="a · Apple"), err="HELP a", status=2),
    dialog("menu, help of the row", ["--help-button", "--item-help", "--menu", "Which?", *LIST, *HELPS], TAB + TAB + ENTER,
           fill("Help", Choice="a · Apple · An apple a day"), err="HELP An apple a day", status=2),
    dialog("menu, help by tag", ["--help-button", "--help-tags", "--item-help", "--menu", "Which?", *LIST, *HELPS],
           TAB + TAB + ENTER, fill("Help", Choice="a · Apple · An apple a day"), err="HELP a", status=2),
    dialog("menu, the row's status", ["--help-button", "--item-help", "--menu", "Which?", *LIST, *HELPS], TAB + TAB + ENTER,
           fill("Help", Choice="a · Apple · An apple a day"), err="HELP An apple a day", status=4,
           environment={"DIALOG_ITEM_HELP": "4"}),
    dialog("menu, extra", ["--extra-button", "--extra-label", "Edit", "--menu", "Which?", *LIST, *FRUIT], TAB + ENTER,
           fill("Edit", Choice="a · Apple"), err="a", status=3),
    dialog("menu, colors", ["--colors", "--menu", "\\Z1Which?\\Zn", *LIST, "a", "\\ZbApple"], answer="a · Apple", err="a"),
    dialog("menu, a tag like an option", ["--menu", "Which?", *LIST, "--", "--yes", "Apple"], answer="--yes · Apple",
           err="--yes"),
    dialog("checklist, as it is", ["--checklist", "Which?", *LIST, *DIALOG_CHECKS], answer=CHECKED, err='a "c d"'),
    dialog("checklist, lines", ["--separate-output", "--checklist", "Which?", *LIST, *DIALOG_CHECKS], answer=CHECKED,
           err="a\nc d\n"),
    dialog("checklist, quoted lines", ["--quoted", "--separate-output", "--checklist", "Which?", *LIST, *DIALOG_CHECKS],
           answer=CHECKED, err='a\n"c d"\n'),
    dialog("checklist, separator", ["--output-separator", "/", "--checklist", "Which?", *LIST, *DIALOG_CHECKS], answer=CHECKED,
           err='/a/"c d"'),
    dialog("checklist, none", ["--checklist", "Which?", *LIST, "a", "Apple", "off"], answer=fill(**{"a · Apple": "no"})),
    dialog("checklist, cancelled", ["--checklist", "Which?", *LIST, *DIALOG_CHECKS], TAB + ENTER, None, status=1),
    dialog("checklist, odd tags", ["--checklist", "Which?", "20", "50", "8", *ODD],
           answer=fill(**{"it's · 1": "yes", 'q"q · 2': "yes", "$x · 3": "yes", "4": "yes", "back\\slash · 5": "yes",
                          "a;b · 6": "yes"}),
           err='it\'s "q\\"q" "\\$x" "" "back\\\\slash" "a\\;b"'),
    dialog("checklist, odd tags in single quotes", ["--single-quoted", "--checklist", "Which?", "20", "50", "8", *ODD],
           answer=fill(**{"it's · 1": "yes", 'q"q · 2': "yes", "$x · 3": "yes", "4": "yes", "back\\slash · 5": "yes",
                          "a;b · 6": "yes"}),
           err="'it\\'s' q\"q '$x' '' 'back\\\\slash' 'a;b'"),
    dialog("checklist, help with statuses", ["--help-button", "--help-status", "--checklist", "Which?", *LIST, *DIALOG_CHECKS],
           TAB + TAB + ENTER, fill("Help", **{"a · Apple": "yes", "b · Banana": "no", "c d · Cherry": "yes"}),
           err='HELP a a "c d"', status=2),
    dialog("radiolist, as it is", ["--radiolist", "Which?", *LIST, *RADIO], answer=fill(Choice="b · Banana"), err="b"),
    dialog("radiolist, cancelled", ["--radiolist", "Which?", *LIST, *RADIO], TAB + ENTER, None, status=1),
    dialog("textbox", ["--textbox", "/etc/debian_version", *SIZE], answer="EXIT"),
    dialog("textbox, no file", ["--textbox", "/nonexistent", *SIZE], "", err="\nCan't open input file /nonexistent\n",
           status=255, asks=False),
    dialog("pause, ok", ["--pause", "Wait", *SIZE, "20"], answer="OK"),
    dialog("pause, cancelled", ["--pause", "Wait", *SIZE, "20"], TAB + ENTER, "Cancel", status=1),
    dialog("pause, over", ["--pause", "Wait", *SIZE, "1"], "", "nothing"),
    dialog("timeout", ["--timeout", "1", "--yesno", "Go?", *SIZE], "", "nothing", status=255),
    dialog("timeout with its status", ["--timeout", "1", "--menu", "Which?", *LIST, *FRUIT], "", "nothing", status=77,
           err="\ntimeout\n", environment={"DIALOG_TIMEOUT": "77"}),
    dialog("two boxes", ["--inputbox", "One", *SIZE, "1", "--and-widget", "--inputbox", "Two", *SIZE, "2"], ENTER + ENTER,
           [fill(Answer="1"), fill(Answer="2")], err="1\t2"),
    dialog("two boxes, the first cancelled", ["--yesno", "One", *SIZE, "--yesno", "Two", *SIZE], TAB + ENTER, "No", status=1),
    dialog("an infobox and a question", ["--infobox", "Wait", *SIZE, "--and-widget", "--yesno", "Two", *SIZE], TAB + ENTER, "No",
           status=1),
    dialog("gauge", ["--gauge", "Work", *SIZE, "0"], "", stdin="10\n100\n", asks=False),
    dialog("--output-fd", ["--output-fd", "200", "--inputbox", "Name", *SIZE, "init"], answer=fill(Answer="init"), out="init"),
    dialog("an unknown option", ["--foo", "--yesno", "Go?", *SIZE], "",
           err="\nUnknown option --foo.\nUse --help to list options.\n\n\n", status=255, asks=False),
]

COLUMNS = ["--column", "Id", "--column", "Name", "--column", "Size"]
CELLS = ["1", "One", "10", "2", "Two", "20"]
TOGGLES = ["--column", "Use", "--column", "Name", "--column", "Size", "TRUE", "One", "10", "false", "Two", "20", "True", "Three",
           "30"]
TOGGLED = fill(**{"One · 10": "yes", "Two · 20": "no", "Three · 30": "yes"})

ZENITY = [
    zenity("info, ok", ["--info", "--text", "Done <b>now</b>\\n&amp; so on", "--width=300", "--no-wrap"], answer="OK"),
    zenity("info, closed", ["--info", "--text=Done"], "Escape", status=1),
    zenity("info, extra", ["--info", "--text=Done", "--extra-button=More", "--ok-label=Fine"], "Tab Return", "More",
           out="More\n", status=1),
    zenity("warning", ["--warning", "--text=Careful", "--icon-name=x"], answer="OK"),
    zenity("error", ["--error", "--no-markup", "--text=a < b"], answer="OK"),
    zenity("info, timeout", ["--info", "--text=Done", "--timeout=1"], "", "nothing", status=5),
    zenity("question, yes", ["--question", "--text=Go?", "--ok-label=Go", "--cancel-label", "Stay"], answer="Go"),
    zenity("question, yes by Return", ["--question", "--text=Go?"], answer="Yes"),
    zenity("question, no", ["--question", "--text=Go?"], "alt+n", "No", status=1),
    zenity("question, closed", ["--question", "--text=Go?"], "Escape", status=1),
    zenity("question, default cancel", ["--question", "--default-cancel", "--text=Go?"], answer="No", status=1),
    zenity("question, extra", ["--question", "--text=Go?", "--extra-button", "_Later"], "alt+l", "Later", out="_Later\n",
           status=1),
    zenity("question, switch", ["--question", "--switch", "--text=Go?", "--extra-button", "_A", "--extra-button", "_B"], "alt+b",
           "B", out="_B\n", status=1),
    zenity("question, statuses of its own", ["--question", "--text=Go?"], "alt+n", "No", status=7,
           environment={"ZENITY_CANCEL": "7", "DIALOG_CANCEL": "8"}),
    zenity("question, dialog's statuses", ["--question", "--text=Go?"], "Escape", status=8, environment={"DIALOG_ESC": "8"}),
    zenity("entry, typed", ["--entry", "--text", "Your _name"], "A d a Return", fill(Answer="Ada"), out="Ada\n"),
    zenity("entry, kept", ["--entry", "--entry-text=init"], answer=fill(Answer="init"), out="init\n"),
    zenity("entry, closed", ["--entry", "--entry-text=init"], "Escape", None, status=1),
    zenity("entry, hidden", ["--entry", "--hide-text"], "s 3 Return", fill(Answer="s3"), out="s3\n"),
    zenity("entry, timeout", ["--entry", "--entry-text=init", "--timeout=1"], "", "nothing", out="init\n", status=5),
    zenity("password", ["--password"], "s 3 Return", fill(Password="s3"), out="s3\n"),
    zenity("password, user", ["--password", "--username"], "a Tab s 3 Return", fill(Username="a", Password="s3"), out="a|s3\n"),
    zenity("password, cancelled", ["--password"], "alt+c", None, status=1),
    zenity("list, second", ["--list", *COLUMNS, *CELLS], "Home Down Return", "2 · Two · 20", out="2\n"),
    zenity("list, a column", ["--list", "--print-column=2", "--hide-column=1", *COLUMNS, *CELLS], "Home Return", "One · 10",
           out="One\n"),
    zenity("list, all columns", ["--list", "--print-column=ALL", *COLUMNS, *CELLS], "Home Return", "1 · One · 10",
           out="1|One|10\n"),
    zenity("list, two columns", ["--list", "--print-column=3,1", "--separator=\\n", *COLUMNS, *CELLS], "Home Return",
           "1 · One · 10", out="10\n1\n"),
    zenity("list, stdin", ["--list", "--column=File", "--hide-header"], "Home Down Return", "b c", stdin="a\nb c\n", out="b c\n"),
    zenity("list, cancelled", ["--list", "--cancel-label=Back", *COLUMNS, *CELLS], "Tab Return", "Back", status=1),
    zenity("list, extra", ["--list", "--extra-button=_Edit", *COLUMNS, *CELLS], "alt+e",
           fill("Edit", **{"Id · Name · Size": ""}), out="_Edit\n", status=1),
    zenity("list, several", ["--list", "--multiple", *COLUMNS, *CELLS], "Home ctrl+a Tab Tab Return",
           fill(**{"1 · One · 10": "yes", "2 · Two · 20": "yes"}), out="1|2\n"),
    zenity("checklist", ["--list", "--checklist", *TOGGLES], "Tab Tab Return", TOGGLED, out="One|Three\n"),
    zenity("checklist, separator", ["--list", "--checklist", "--separator=:", "--print-column=3", *TOGGLES], "Tab Tab Return", TOGGLED,
           out="10:30\n"),
    zenity("checklist, all columns", ["--list", "--checklist", "--print-column=ALL", *TOGGLES], "Tab Tab Return", TOGGLED,
           out="One|10|Three|30\n"),
    zenity("checklist, none", ["--list", "--checklist", "--column=", "--column=Name", "FALSE", "One"], "Tab Tab Return", fill(One="no")),
    zenity("radiolist", ["--list", "--radiolist", "--column=", "--column=Name", "FALSE", "One", "TRUE", "Two"], "Tab Tab Return",
           fill(Name="Two"), out="Two\n"),
    zenity("list, timeout", ["--list", "--timeout=1", "--checklist", *TOGGLES], "", "nothing", out="One|Three\n", status=5),
    zenity("forms", ["--forms", "--add-entry=Name", "--add-password=Pin", "--separator=;"], "A Tab 1 Tab Tab Return",
           fill(Name="A", Pin="1"), out="A;1\n"),
    zenity("forms, a combo box left alone",
           ["--forms", "--add-entry=Name", "--add-combo=Size", "--combo-values=S|M", "--add-entry=City"],
           "A Tab Tab Tab Tab Return", fill(Name="A", Size="", City=""), out="A| |\n"),
    zenity("forms, timeout", ["--forms", "--add-entry=Name", "--add-entry=City", "--timeout=1"], "", "nothing", out="|\n",
           status=5),
    zenity("scale", ["--scale", "--value=7", "--min-value=5", "--max-value=9"], "Tab Tab Return", fill(Value="7"), out="7\n"),
    zenity("scale, moved", ["--scale", "--value=7", "--step=2"], "Right Tab Tab Return", fill(Value="9"), out="9\n"),
    zenity("scale, out of range", ["--scale", "--value=7", "--max-value=5"], "", err="Value out of range.\n", status=255,
           asks=False),
    zenity("text-info", ["--text-info", "--filename=/etc/debian_version"], "Tab Tab Return", "OK"),
    zenity("text-info, stdin, cancelled", ["--text-info", "--cancel-label=Bad"], "Escape", "Bad", stdin="Some\ntext\n", status=1),
    zenity("calendar", ["--calendar", "--day=9", "--month=2", "--year=2024", "--date-format=%Y/%m/%d"], "Tab Tab Tab Return",
           fill(Date="2024-02-09"), out="2024/02/09\n"),
    zenity("calendar, the locale's", ["--calendar", "--day=9", "--month=2", "--year=2024"], "Tab Tab Tab Return", fill(Date="2024-02-09"),
           out="02/09/24\n"),
    zenity("progress", ["--progress", "--auto-close"], "", stdin="10\n# Half\n50\n100\n", asks=False),
    zenity("no kind", ["--text=x"], "", err="You must specify a dialog type. See 'zenity --help' for details\n", status=255,
           asks=False),
    zenity("an unknown option", ["--info", "--foo"], "",
           err="This option is not available. Please see --help for all possible usages.\n", status=255, asks=False),
    zenity("two kinds", ["--info", "--error"], "", err="Two or more dialog options specified\n", status=255, asks=False),
]
