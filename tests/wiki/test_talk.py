"""Talk pages: topics and answers that never clash, signatures, watching, and who is told."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from portal.models import User
from tests.wiki.conftest import hidden
from wiki.errors import WikiError
from wiki.models import Page, Revision, Watch
from wiki.services import Draft, edit_page, revert_to
from wiki.services.delete import delete_page, undelete_page
from wiki.services.edit import create_page
from wiki.services.rename import rename
from wiki.services.signature import sign, signers
from wiki.services.watch import unwatch, watch

pytestmark = pytest.mark.django_db
TALK = "/wiki/hearts/talk/"
PAGE = "/wiki/talk-hearts/"
NOW = datetime(2026, 11, 30, 20, 31, tzinfo=UTC)
MADE = "— [[User:Ada]], 30 November 2026, 20:31 (UTC)"


def begin(client: Client, heading: str = "Passing", text: str = "Which way?", **more: str) -> str:
    answer = client.post(TALK, {"heading": heading, "text": text, **more})
    assert answer.status_code == 302, answer.content.decode()
    return answer["Location"]


def answer_to(client: Client, number: int, text: str, **more: object) -> object:
    talk = Page.objects.get(slug="talk-hearts")
    sent = {"topic": number, "seen": talk.current_id, "text": text, **more}
    return client.post(TALK, sent)


def text_of(slug: str = "talk-hearts") -> str:
    return Page.objects.get(slug=slug).current.text


def test_talk_is_started_from_the_tab_of_a_page(as_ada: Client, hearts: Page) -> None:
    read = as_ada.get("/wiki/hearts/").content.decode()
    assert f'href="{TALK}"' in read
    assert "Start the talk" in read
    empty = as_ada.get(TALK)
    assert empty.status_code == 200
    assert "Nobody has said anything about" in empty.content.decode()
    assert 'name="robots" content="noindex"' in empty.content.decode()
    assert begin(as_ada) == f"{PAGE}#s-passing"
    talk = Page.objects.get(namespace="talk")
    assert (talk.title, talk.subject, talk.slug) == ("Talk:Hearts", hearts, "talk-hearts")
    assert re.fullmatch(
        r"## Passing\n\nWhich way\? — \[\[User:Ada\]\], \d+ \w+ \d{4}, \d\d:\d\d \(UTC\)\n",
        text_of(),
    )
    read = as_ada.get("/wiki/hearts/").content.decode()
    assert '<span class="badge">1<span class="sr"> topic</span></span>' in read
    assert as_ada.get(TALK)["Location"] == PAGE


def test_tab_counts_the_topics_that_the_talk_page_has(
    as_ada: Client, client: Client, hearts: Page, save
) -> None:
    """A heading in a quote or a list begins none, whether the page was read since it changed or not."""
    begin(as_ada)
    save(f"{text_of()}\n> ## Quoted\n> words\n\n- ## Listed\n\n### Below\n", title="Talk:Hearts")
    one = '<span class="badge">1<span class="sr"> topic</span></span>'
    assert one in client.get("/wiki/hearts/").content.decode()
    html = client.get(PAGE).content.decode()
    assert "Quoted</h2>" in html
    assert "Listed</h2>" in html
    assert one in client.get("/wiki/hearts/").content.decode()
    save(f"{text_of()}\n## Scoring\n\nHow?\n", title="Talk:Hearts", summary="/* Scoring */ how")
    two = '<span class="badge">2<span class="sr"> topics</span></span>'
    for _time in range(2):
        assert two in client.get("/wiki/hearts/").content.decode()
        assert client.get(PAGE).status_code == 200
    assert "#s-scoring" in client.get(f"{PAGE}history/").content.decode()


def test_talk_page_has_what_pages_have(as_ada: Client, client: Client, hearts: Page) -> None:
    begin(as_ada)
    html = client.get(PAGE).content.decode()
    assert 'name="robots" content="noindex"' in html
    assert ">Page</a>" in html
    assert '<a href="/wiki/contributions/Ada/">Ada</a>' in html
    for part in ("history/", "history/feed/", "source/", "edit/", "protect/"):
        assert as_ada.get(PAGE + part).status_code == 200, part
    assert "/* Passing */ new topic" in Revision.objects.get(page__namespace="talk").summary
    assert client.get(f"{PAGE}talk/").status_code == 404
    assert 'data-code="no_talk"' in client.get(f"{PAGE}talk/").content.decode()


def test_answers_stand_below_their_topic(as_ada: Client, as_bob: Client, hearts: Page) -> None:
    begin(as_ada)
    begin(as_bob, "Scoring", "How much?")
    answer = answer_to(as_bob, 1, "To the left.\n\nAlways.")
    assert re.fullmatch(rf"{PAGE}#c-bob-[\w-]+", answer["Location"])
    text = re.sub(r" — .*", "", text_of())
    assert text == (
        "## Passing\n\nWhich way?\n\n- To the left.\n\n    Always.\n\n## Scoring\n\nHow much?\n"
    )
    answer_to(as_ada, 1, "Thanks.")
    html = as_ada.get(PAGE).content.decode()
    assert html.count('<ul class="answers">') == 1  # one list with two answers
    assert html.count('<li id="c-') == 2
    assert html.index("Thanks.") < html.index("How much?")
    assert html.count('class="answer"') == 2


def test_answers_are_no_part_of_a_list_above(as_ada: Client, as_bob: Client, hearts: Page) -> None:
    begin(as_ada, text="Which?\n\n- left\n- right")
    answer_to(as_bob, 1, "Left:\n\n1. box\n2. wiki")
    html = as_bob.get(PAGE).content.decode()
    topic = html[html.index('id="s-passing"') : html.index('class="answer"')]
    unmarked = re.sub(r'<p class="reply".*?</p>|</?(?:a|span)\b[^>]*>|( id="c)[^"]*', r"\1", topic)
    assert re.sub(r"\s|\d+ \w+ \d{4}, \d\d:\d\d", "", unmarked).endswith(
        "<p>Which?</p><ul><li>left</li><li>right</li></ul><p>—Ada,(UTC)</p>"
        '<ulclass="answers"><liid="c"><p>Left:</p><ol><li>box</li><li>wiki</li></ol>'
        "<p>—Bob,(UTC)</p></li></ul><details"
    ), topic


@pytest.mark.parametrize(
    "text",
    [
        "Which?\n\n* left\n* right",
        "Which?\n\n* left\n* right ~~~~",  # signed within the list
        "* left\n* right\n\nWhich?",
        "Which?\n\n1. left\n2. right ~~~~",
        "> * left ~~~~",
    ],
)
def test_list_in_a_topic_is_no_answer(
    as_ada: Client, as_bob: Client, hearts: Page, text: str
) -> None:
    begin(as_ada, text=text)
    html = as_bob.get(PAGE).content.decode()
    assert "left" in html
    assert 'class="answers"' not in html
    assert 'class="reply"' not in html


def test_what_is_sent_twice_is_said_once(as_ada: Client, as_bob: Client, hearts: Page) -> None:
    for _time in range(2):
        assert begin(as_ada, text="Which (way)?\n\n* a\n* b").startswith(f"{PAGE}#s-passing")
        answer_to(as_bob, 1, "To the left.\n\nAlways.")
    seen = Page.objects.get(slug="talk-hearts").current_id
    sent = {"topic": 1, "to": 2, "seen": seen, "text": "Why?"}
    for _time in range(2):
        answer = as_ada.post(TALK, sent)
        assert re.fullmatch(rf"{PAGE}#c-ada-[\w-]+", answer["Location"])
    text = text_of()
    for words in ("## Passing", "To the left.", "    - Why?"):
        assert text.count(words) == 1, words
    seen = Page.objects.get(slug="talk-hearts").current_id
    as_ada.post(TALK, sent | {"to": 3, "seen": seen})  # the same words to somebody else
    assert text_of().count("- Why?") == 2
    begin(as_bob, text="Which (way)?\n\n* a\n* b")  # somebody else's
    answer_to(as_ada, 1, "To the left.\n\nAlways.")
    Page.objects.get(slug="talk-hearts")
    assert (text_of().count("## Passing"), text_of().count("To the left.")) == (2, 2)


def test_words_come_back_where_the_page_is_deleted_meanwhile(as_ada: Client, hearts: Page) -> None:
    mo = User.objects.create_user("Mo", is_superuser=True)
    begin(as_ada)
    delete_page(page_id=hearts.pk, reason="Nonsense.", person=mo)
    for sent in ({"heading": "Passing"}, {"topic": 1, "to": 1}):
        answer = as_ada.post(TALK, {**sent, "text": "My <precious> words"})
        html = answer.content.decode()
        assert answer.status_code == 410
        assert 'data-code="page_deleted"' in html
        assert "My &lt;precious&gt; words</textarea>" in html
    assert "</textarea>" not in as_ada.get(TALK).content.decode()


def test_signed_edit_that_is_sent_twice_is_done_once(
    as_ada: Client, as_bob: Client, hearts: Page, monkeypatch
) -> None:
    begin(as_ada)
    html = as_ada.get(f"{PAGE}edit/").content.decode()
    sent = {"base": hidden(html, "base"), "text": f"{text_of()}\nMore. ~~~~\n"}
    assert as_ada.post(f"{PAGE}edit/", sent).status_code == 302
    answer_to(as_bob, 1, "Meanwhile.")
    now, before = timezone.now, text_of()
    monkeypatch.setattr(timezone, "now", lambda: now() + timedelta(minutes=2))
    assert as_ada.post(f"{PAGE}edit/", sent).status_code == 302
    assert text_of() == before
    monkeypatch.setattr(timezone, "now", lambda: now() + timedelta(minutes=9))
    assert as_ada.post(f"{PAGE}edit/", sent).status_code == 409


def test_answer_with_a_signature_in_its_middle_is_an_answer(
    as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    begin(as_ada)
    answer_to(as_bob, 1, "To the left. ~~~~\n\nOr not.")
    answer_to(as_ada, 1, "To the right. ~~~~")
    html = as_ada.get(PAGE).content.decode()
    assert len(re.findall(r'<li id="(c-[^"]*)">', html)) == 2
    assert text_of().count("[[User:Bob]]") == 2
    assert text_of().count("[[User:Ada]]") == 2
    assert answer_in_its_turn(as_ada, "Or not.", "Why?").status_code == 302
    assert "\n    - Why?" in text_of()


@pytest.mark.parametrize(
    "text",
    [
        "> ## Quoted",
        "* # listed",
        "#",
        "   ## indented",
        "Under\n---",
        "---",
        "~~~~\n\nafter it",
        "noted[^1]\n\n[^1]: below",
        "[a]: https://example.org",
    ],
)
def test_marks_of_an_answer_leave_all_others_answerable(
    as_ada: Client, as_bob: Client, hearts: Page, text: str
) -> None:
    begin(as_ada)
    begin(as_ada, "Scoring", "How much?")
    answer_to(as_bob, 1, text)
    answer_to(as_ada, 1, "Second")
    html = as_ada.get(PAGE).content.decode()
    assert html.count("<summary>Reply") == 2
    assert html.count('class="toc"') == 1
    assert len(re.findall(r'<a href="#s-(?:passing|scoring)">', html)) == 2
    assert len(re.findall(r'<li id="(c-[^"]*)">', html)) == 2
    assert answer_in_its_turn(as_bob, "Second", "To that").status_code == 302
    kept = re.sub(r"\s", "", text_of()).replace("\\", "")
    assert re.sub(r"\s|~", "", text) in re.sub(r"—\[\[User:Bob\]\][^)]*\)", "", kept)


def test_same_words_later_are_said_again(as_ada: Client, hearts: Page, monkeypatch) -> None:
    begin(as_ada)
    answer_to(as_ada, 1, "Up.")
    later = timezone.now() + timedelta(minutes=6)
    monkeypatch.setattr("wiki.services.talk.timezone.now", lambda: later)
    answer_to(as_ada, 1, "Up.")
    assert text_of().count("- Up.") == 2


def place_of_answer(html: str, words: str) -> str:
    """Where the answer with these words stands: the id of the item they are in."""
    return re.findall(r'<li id="(c-[^"]*)">', html[: html.index(words)])[-1]


def answer_in_its_turn(client: Client, words: str, text: str, **more: object) -> object:
    """Open the form below the answer that says ``words``, as the page offers it, and send it."""
    place = place_of_answer(client.get(PAGE).content.decode(), words)
    html = client.get(PAGE, {"answer": place}).content.decode()
    form = html[html.index('<form class="stack say"', html.index(words)) :]
    sent = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form.split("</form>")[0]))
    assert sent["place"] == place
    return client.post(TALK, sent | {"text": text} | more)


def test_answers_are_answered_in_their_turn(as_ada: Client, as_bob: Client, hearts: Page) -> None:
    begin(as_ada, text="Which?\n\n* left\n* right")
    begin(as_ada, "Scoring", "How much?")
    answer_to(as_bob, 1, "Deep 0")
    answer_to(as_bob, 1, "Last of all")
    people = [as_ada, as_bob]
    for depth in range(1, 10):
        said = f"Deep {depth}\n\n* one\n* two" if depth == 3 else f"Deep {depth}"
        assert answer_in_its_turn(people[depth % 2], f"Deep {depth - 1}", said).status_code == 302
    answer_in_its_turn(as_ada, "Deep 1", "Beside 2")
    text, html = text_of(), as_ada.get(PAGE).content.decode()
    indents = [len(line) - len(line.lstrip()) for line in text.split("\n") if "- Deep" in line]
    assert indents == [0, 4, 8, 12, 16, 20, 24, 28, 28, 28]  # beyond the eighth they stand beside
    order = [*(f"Deep {depth}" for depth in range(10)), "Beside 2", "Last of all", "How much?"]
    assert [html.index(words) for words in order] == sorted(html.index(words) for words in order)
    assert html.count('<ul class="answers">') == 8
    assert html.count('class="reply"') == 12
    assert len(set(re.findall(r' id="(c-[^"]*)"', html))) == 12
    assert re.search(r'Reply<span class="sr"> to Bob, \d+ \w+ \d{4}, \d\d:\d\d</span>', html)
    assert "      * two" not in text.split("\n")[0]
    assert html.count("<li>one</li>") == 1  # a list of an answer stays one


def test_answer_finds_what_it_answers_among_later_ones(
    as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    begin(as_ada)
    answer_to(as_bob, 1, "To the left.")
    answer_to(as_bob, 1, "To the right.")
    html = as_ada.get(PAGE).content.decode()
    seen = Page.objects.get(slug="talk-hearts").current_id
    place = place_of_answer(html, "To the right.")
    answer_in_its_turn(as_bob, "To the left.", "Before it, in the same minute.")
    sent = {"topic": 1, "to": 3, "seen": seen, "place": place, "text": "Why?"}
    assert as_ada.post(TALK, sent).status_code == 302
    lines = [re.sub(" — .*", "", line) for line in text_of().split("\n") if line.strip()]
    assert lines[-2:] == ["- To the right.", "    - Why?"]


@pytest.mark.parametrize("to", ["9", "3"])
def test_answer_to_words_that_are_gone_comes_back(
    as_ada: Client, as_bob: Client, ada: User, hearts: Page, to: str
) -> None:
    begin(as_ada)
    answer_to(as_bob, 1, "To the left.")
    answer_to(as_bob, 1, "To the right.")
    talk = Page.objects.get(slug="talk-hearts")
    seen = talk.current_id
    gone = talk.current.text.split("- To the right")[0]
    edit_page(slug=talk.slug, title=talk.title, author=ada, draft=Draft(text=gone, base=seen))
    sent = {"topic": "1", "to": to, "seen": seen, "text": "My <b> words"}
    answer = as_ada.post(TALK, sent)
    assert answer.status_code == 409
    assert 'data-code="no_topic"' in answer.content.decode()
    assert "My &lt;b&gt; words</textarea>" in answer.content.decode()
    assert "words" not in text_of()
    answer = as_ada.post(TALK, {"topic": "1", "to": "2", "seen": seen, "text": " ~~~~ "})
    assert answer.status_code == 422


def test_words_refused_below_what_is_gone_come_back_as_a_new_topic(
    as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    begin(as_ada)
    sent = {"topic": "5", "to": "2", "seen": "1", "place": "c-nobody", "text": "é" * 200_001}
    answer = as_bob.post(TALK, sent)
    assert answer.status_code == 413
    assert sent["text"] in answer.content.decode()


def test_people_who_write_at_once_never_clash(as_ada: Client, as_bob: Client, hearts: Page) -> None:
    begin(as_ada)
    begin(as_ada, "Scoring", "How much?")
    seen = Page.objects.get(slug="talk-hearts").current_id
    begin(as_bob, "Moon", "And the moon?")
    for client, words in ((as_ada, "One."), (as_bob, "Two."), (as_ada, "Three.")):
        sent = {"topic": 1, "seen": seen, "text": words}  # all read the same revision
        assert client.post(TALK, sent).status_code == 302
    text = text_of()
    places = [text.index(words) for words in ("One.", "Two.", "Three.", "How much?", "the moon?")]
    assert places == sorted(places)
    talk = Page.objects.get(slug="talk-hearts")
    talk.refresh_from_db()
    edit_page(  # the first topic moves to the end
        slug=talk.slug,
        title=talk.title,
        author=User.objects.get(username="Ada"),
        draft=Draft(text="## New\n\nx\n\n" + text, base=talk.current_id),
    )
    as_bob.post(TALK, {"topic": 1, "seen": seen, "text": "Four."})
    assert text_of().index("Three.") < text_of().index("Four.") < text_of().index("How much?")


def test_answer_to_a_topic_that_is_gone_keeps_the_words(
    as_ada: Client, as_bob: Client, hearts: Page, save: Callable[..., Revision]
) -> None:
    begin(as_ada)
    seen = Page.objects.get(slug="talk-hearts").current_id
    save("## Other\n\nx\n", title="Talk:Hearts")
    answer = as_bob.post(TALK, {"topic": 1, "seen": seen, "text": "My <b> words"})
    assert answer.status_code == 409
    html = answer.content.decode()
    assert 'data-code="no_topic"' in html
    assert "My &lt;b&gt; words</textarea>" in html


def test_answer_finds_its_topic_among_those_of_one_name(
    as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    for text in ("First.", "Second."):
        begin(as_ada, text=text)
    seen = Page.objects.get(slug="talk-hearts").current
    assert answer_to(as_bob, 2, "Two.").status_code == 302
    assert text_of().index("Second.") < text_of().index("Two.")
    renamed = text_of().replace("## Passing", "## Left", 1)
    sent = {"text": renamed, "base": Page.objects.get(slug="talk-hearts").current_id}
    assert as_ada.post(f"{PAGE}edit/", sent).status_code == 302
    assert answer_to(as_bob, 2, "Late.", seen=seen.pk).status_code == 302
    assert text_of().index("Second.") < text_of().index("Two.") < text_of().index("Late.")
    lost = answer_to(as_bob, 1, "Lost.", seen=seen.pk)
    assert lost.status_code == 409  # not below the other topic of that name
    assert "Lost." in lost.content.decode()
    assert "Lost." not in text_of()


@pytest.mark.parametrize(
    ("sent", "code", "status"),
    [
        ({"heading": " ## ", "text": "Words"}, "no_heading", 422),
        ({"heading": "x" * 201, "text": "Words"}, "long_heading", 422),
        ({"heading": "Topic", "text": " ~~~~ "}, "no_words", 422),
        ({"heading": "Topic", "text": "é" * 200_001}, "too_long", 413),
        ({"topic": "7", "seen": "x", "text": "Words"}, "no_topic", 409),
    ],
)
def test_refused_words_come_back(
    as_ada: Client, hearts: Page, sent: dict[str, str], code: str, status: int
) -> None:
    answer = as_ada.post(TALK, sent)
    assert answer.status_code == status
    html = answer.content.decode()
    assert f'data-code="{code}"' in html
    assert sent["text"].strip() in html
    assert not Page.objects.filter(namespace="talk").exists()


def test_stranger_talks_as_a_guest_or_logs_in_with_the_words(
    client: Client, ada: User, hearts: Page
) -> None:
    sent = {"heading": "Passing", "text": "Which way?"}
    assert client.post(TALK, sent).status_code == 403
    to = client.post(TALK, {**sent, "action": "login"})["Location"]
    assert to == "/accounts/login/?next=%2Fwiki%2Fhearts%2Ftalk%2F"
    client.force_login(ada)
    html = client.get(TALK).content.decode()
    assert "Here is what you wrote before you logged in." in html
    assert 'value="Passing"' in html
    assert "Which way?</textarea>" in html
    guest = Client()
    assert guest.post(TALK, {**sent, "action": "guest"}).status_code == 302
    assert "— [[User:Guest " in text_of()


def test_ended_session_keeps_the_words(ada: User, hearts: Page) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    answer = client.post(TALK, {"heading": "Passing", "text": "Which way?"})
    assert answer.status_code == 403
    assert 'data-code="session_ended"' in answer.content.decode()
    assert "Which way?</textarea>" in answer.content.decode()


def test_protected_talk_takes_no_words(as_ada: Client, as_bob: Client, hearts: Page) -> None:
    begin(as_ada)
    Page.objects.filter(namespace="talk").update(protection=Page.Protection.MODERATORS)
    html = as_bob.get(PAGE).content.decode()
    assert "Add a topic" not in html
    answer = as_bob.post(TALK, {"heading": "x", "text": "Words"})
    assert answer.status_code == 403
    assert 'data-code="protected"' in answer.content.decode()


def test_talk_needs_a_page_to_talk_about(as_ada: Client) -> None:
    edit = "/wiki/talk-nowhere/edit/?title=Talk:Nowhere"
    answer = as_ada.post(edit, {"text": "Words", "title": "Talk:Nowhere"})
    assert answer.status_code == 409
    assert 'data-code="no_subject"' in answer.content.decode()
    assert "Words" in answer.content.decode()
    assert as_ada.get("/wiki/nowhere/talk/").status_code == 404


def test_talk_written_in_the_editor_belongs_to_its_page(
    hearts: Page, save: Callable[..., Revision]
) -> None:
    save("Words ~~~~\n", title="Diskussion:hearts")
    talk = Page.objects.get(namespace="talk")
    assert talk.subject == hearts
    assert "Words — [[User:Ada]], " in talk.current.text


def test_second_talk_page_of_a_renamed_page_is_refused(
    hearts: Page, save: Callable[..., Revision]
) -> None:
    save("Words\n", title="Talk:Hearts")
    hearts.names.create(title="Black Lady", key="black Lady", slug="black-lady")
    with pytest.raises(WikiError, match="has the talk page") as refused:
        save("Words\n", title="Talk:Black Lady")
    assert refused.value.code == "title_taken"


def test_deleted_talk_is_not_shown(as_ada: Client, hearts: Page) -> None:
    begin(as_ada)
    Page.objects.filter(namespace="talk").update(deleted_at=NOW)
    assert "Start the talk" in as_ada.get("/wiki/hearts/").content.decode()


# Watching


def test_who_watches_a_page_watches_its_talk(
    as_ada: Client, as_bob: Client, bob: User, hearts: Page
) -> None:
    watch(page=hearts, user=bob)
    begin(as_ada)
    talk = Page.objects.get(namespace="talk")
    assert set(Watch.objects.filter(user=bob).values_list("page", flat=True)) == {
        hearts.pk,
        talk.pk,
    }
    html = as_bob.get("/wiki/watchlist/").content.decode()
    assert html.count('class="is-new"') == 1
    assert "Which way" not in html
    assert "Remove Talk:Hearts" not in html
    unwatch(page=talk, user=bob)
    assert not Watch.objects.filter(user=bob).exists()
    watch(page=talk, user=bob)
    assert Watch.objects.filter(user=bob).count() == 2


def test_box_of_the_form_decides_about_watching(as_bob: Client, bob: User, hearts: Page) -> None:
    assert hidden(as_bob.get(TALK).content.decode(), "can_watch") == "1"
    begin(as_bob, can_watch="1", watch="1")
    assert Watch.objects.filter(user=bob).count() == 2
    begin(as_bob, "Second", can_watch="1")
    assert not Watch.objects.filter(user=bob).exists()


# Signatures


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("So it is. ~~~~", f"So it is. {MADE}"),
        ("So it is.~~~~", f"So it is. {MADE}"),
        ("So -- ~~~~\n", f"So {MADE}\n"),
        ("So - ~~~~\n", f"So {MADE}\n"),
        ("--~~~~", MADE),
        ("- ~~~~", f"- {MADE}"),
        ("--- ~~~~", f"--- {MADE}"),
        ("    ~~~~", f"    {MADE}"),
        ("Then ~~~~~.", "Then 30 November 2026, 20:31 (UTC)."),
        ("Words\n\n~~~~\n\nWords", f"Words\n\n{MADE}\n\nWords"),
        ("~~~~\ncode ~~~~\n~~~~\nx", "~~~~\ncode ~~~~\n~~~~\nx"),
        ("`~~~~` makes ~~~~", f"`~~~~` makes {MADE}"),
        ("~~~ and ~~~~~~", "~~~ and ~~~~~~"),
    ],
)
def test_tildes_become_name_and_time(text: str, made: str) -> None:
    assert sign(text, name="Ada", now=NOW) == made
    assert sign(made, name="Bob", now=NOW) == made


def test_signatures_are_read_again() -> None:
    assert signers(f"One {MADE}\n\n- Two {MADE.replace('Ada', 'Guest 4821')}") == {
        "Ada",
        "Guest 4821",
    }


def test_tildes_stay_tildes_on_other_pages(save: Callable[..., Revision]) -> None:
    assert save("One ~~~~ two").text == "One ~~~~ two\n"


def test_marks_of_an_answer_break_no_other_topic(
    as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    begin(as_ada)
    begin(as_ada, "Scoring", "How much?")
    said = "# Heading\n\nRuled\n---\n\n```\ncode\n```\n\n<script>alert(1)</script> {{nope|x}}"
    answer_to(as_bob, 1, said)
    html = as_bob.get(PAGE).content.decode()
    assert html.count('class="answer"') == 2
    assert "<code>code\n</code>" in html
    assert "<script>alert" not in html
    assert html.count("<h2 id=") == 3  # the topics and the form for a new one


def test_restoring_a_talk_page_makes_no_new_signature(
    as_ada: Client, ada: User, hearts: Page
) -> None:
    begin(as_ada)
    first = Page.objects.get(slug="talk-hearts").current
    begin(as_ada, "Scoring", "How much?")
    talk = Page.objects.get(slug="talk-hearts")
    revert_to(page_id=talk.pk, revision_id=first.pk, author=ada, current_id=talk.current_id)
    assert text_of() == first.text


def test_preview_shows_the_signature_on_talk_pages_only(
    as_ada: Client, client: Client, hearts: Page
) -> None:
    begin(as_ada)
    sent = {"text": "So it is. ~~~~", "action": "preview"}
    signed = '— <a href="/wiki/contributions/Ada/">Ada</a>, '
    assert signed in as_ada.post(f"{PAGE}edit/", sent).content.decode()
    assert signed not in as_ada.post("/wiki/hearts/edit/", sent).content.decode()
    assert ">Guest</a>, " in client.post(f"{PAGE}edit/", sent).content.decode()


def test_talk_follows_its_page(as_ada: Client, ada: User, hearts: Page) -> None:
    begin(as_ada)
    rename(page_id=hearts.pk, title="Black Lady", author=ada, seen="Hearts")
    talk = Page.objects.get(namespace="talk")
    assert (talk.title, talk.subject.title) == ("Talk:Black Lady", "Black Lady")
    assert "Which way?" in as_ada.get("/wiki/black-lady/talk/", follow=True).content.decode()
    assert "Which way?" in as_ada.get(PAGE, follow=True).content.decode()


def test_talk_goes_and_comes_back_with_its_page(as_ada: Client, ada: User, hearts: Page) -> None:
    begin(as_ada)
    ada.is_staff = True
    ada.save()
    delete_page(page_id=hearts.pk, reason="Twice here", person=ada)
    assert as_ada.get(PAGE).status_code in (404, 410)
    undelete_page(page_id=hearts.pk, reason="It was not", person=ada)
    assert "Which way?" in as_ada.get(PAGE).content.decode()


def test_pictures_are_talked_about_too(as_ada: Client, ada: User) -> None:
    page = create_page(title="File:Board.png", language="en", namespace="file")
    answer = as_ada.post(f"/wiki/{page.slug}/talk/", {"heading": "Size", "text": "Is it whole?"})
    assert answer.status_code == 302
    talk = Page.objects.get(namespace="talk")
    assert (talk.title, talk.subject) == ("Talk:File:Board.png", page)
    assert f'href="/wiki/{talk.slug}/"' in as_ada.get(page.get_absolute_url()).content.decode()
