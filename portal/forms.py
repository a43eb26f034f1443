"""Forms of the portal."""

from allauth.account import forms as allauth
from django import forms

from games.engine import all_games
from games.translation import all_languages
from portal.blocks import SPANS
from portal.models import SWITCHES, User
from portal.names import LONGEST
from wiki.languages import language
from wiki.selectors import reading_languages

PASSWORD_SAYS = (
    "At least 8 characters, not only digits, no common password, and not like your name or address."
)


class OurWords(forms.Form):
    """A form of allauth in the words of this site: small letters, and no second label inside a field."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.label = str(field.label).capitalize()
            field.widget.attrs.pop("placeholder", None)
        if "password1" in self.fields:
            self.fields["password1"].help_text = PASSWORD_SAYS


class LoginForm(OurWords, allauth.LoginForm):
    """Name or address, and password."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = "Name or email"
        self.fields["login"].widget.attrs["autocomplete"] = "username"


class SignupForm(OurWords, allauth.SignupForm):
    """Name, password, and an address for those who want to reset it."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "Name"
        self.fields["username"].widget.attrs["maxlength"] = LONGEST
        self.fields["username"].help_text = "Shown beside your moves and your edits."
        self.fields["email"].label = "Email (optional)"
        self.fields[
            "email"
        ].help_text = "Only to reset a forgotten password and for news of your tables."
        self.fields["email"].required = False


class AddEmailForm(OurWords, allauth.AddEmailForm):
    """Another address."""


class ChangePasswordForm(OurWords, allauth.ChangePasswordForm):
    """The current password, and a new one."""


class SetPasswordForm(OurWords, allauth.SetPasswordForm):
    """A first password."""


class ReauthenticateForm(OurWords, allauth.ReauthenticateForm):
    """The password once more."""


class ResetPasswordForm(OurWords, allauth.ResetPasswordForm):
    """The address to which a link goes."""


class ResetPasswordKeyForm(OurWords, allauth.ResetPasswordKeyForm):
    """A new password by such a link."""


class BlockForm(forms.Form):
    """A moderator blocks an account, or changes its block."""

    reason = forms.CharField(
        max_length=200, label="Reason", help_text="The person reads it when they try to log in."
    )
    days = forms.TypedChoiceField(coerce=int, choices=list(SPANS.items()), initial=1, label="For")
    wiki_only = forms.TypedChoiceField(
        coerce=lambda value: value == "wiki",
        choices=[("site", "the whole site"), ("wiki", "writing pages only")],
        initial="site",
        required=False,
        empty_value=False,
        label="From",
    )
    address = forms.BooleanField(
        required=False,
        label="Also the address they wrote from last",
        help_text="So that they do not come back as another guest. You are not shown it.",
    )

    def __init__(self, *args: object, address_known: bool = False, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if not address_known:
            del self.fields["address"]


class AddressBlockForm(forms.Form):
    """A moderator blocks an address or a range."""

    range = forms.CharField(
        max_length=60, label="Address or range", help_text="192.0.2.7, 192.0.2.0/24, 2001:db8::/48"
    )
    reason = forms.CharField(
        max_length=200, label="Reason", help_text="Whoever is stopped reads it, and the log."
    )
    days = forms.TypedChoiceField(coerce=int, choices=list(SPANS.items()), initial=1, label="For")
    accounts_too = forms.BooleanField(required=False, label="Also those who have an account")


class PreferencesForm(forms.ModelForm):
    reads = forms.ChoiceField(
        required=False,
        label="Language of pages and games",
        help_text="A game leads to its rules in this language, where there are some, and its tables speak "
        "it, where the game has been translated; without a choice here they speak English. Serbian is "
        "shown in the script you choose.",
    )

    class Meta:
        model = User
        fields = ["theme", "reads", *SWITCHES]
        widgets = {"theme": forms.RadioSelect}
        labels = {
            "theme": "Light or dark",
            "confirm_moves": "Confirm each move",
            "letter_keys": "Single-letter keys",
            "sound": "Sound on your turn",
            "motion": "Moving pieces",
        }
        help_texts = {
            "confirm_moves": "Choose first, then confirm in the action bar, also where one click "
            "would do.",
            "letter_keys": "c, l, h, n, m and ? at a table open chat, log, help, notes, the next table "
            "and the list of keys.",
            "sound": "A short quiet one, at a table that is open.",
            "motion": "Cards and pieces travel to where they are put.",
        }

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        codes = reading_languages() | set(all_languages(list(all_games())))
        codes |= {self.instance.reads} - {""}
        known = sorted(map(language, codes), key=lambda one: one.english)
        self.fields["reads"].choices = [
            ("", "As my browser asks"),
            *((one.code, one.both_names) for one in known),
        ]
