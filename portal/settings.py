"""Settings, from the environment (docs/operations.md: "Settings"). Defaults are safe for one machine."""

import os
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from portal.environment import (
    env_bool,
    env_float,
    env_int,
    env_ints,
    env_list,
    kept_secret,
    own_folder,
    socket_folder,
)
from portal.valkey import patience

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = own_folder("PARLOUR_DATA", default=BASE_DIR / "data")

DEBUG = env_bool("DEBUG", default=False)


SECRET_KEY = os.environ.get("SECRET_KEY") or kept_secret(DATA_DIR / "secret_key")
HOST = os.environ.get("HOST") or "127.0.0.1"
PORT = env_int("PORT", default=8000)
WEB_THREADS = env_int("WEB_THREADS", default=10, least=1)  # with the sockets' below DATABASE_POOL
ALLOWED_HOSTS = env_list(
    "ALLOWED_HOSTS", default=list({"localhost", "127.0.0.1", "[::1]", HOST} - {"0.0.0.0", "::"})
)
CSRF_TRUSTED_ORIGINS = env_list("CSRF_TRUSTED_ORIGINS", default=[])

SERIALIZATION_MODULES = {"exact": "portal.exact_json"}
INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "django_htmx",
    "allauth",
    "allauth.account",
    "csp",
    "portal",
    "games",
    "wiki",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "portal.middleware.keep_no_refusal",
    "portal.middleware.StaticFiles",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "portal.middleware.came_from",
    "portal.middleware.reads_in",
    "portal.middleware.last_seen",
    "portal.middleware.no_nul",
    "portal.middleware.refuse_methods_in_words",
]

ROOT_URLCONF = "portal.urls"
ASGI_APPLICATION = "portal.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["portal.templatetags.addresses"],
        },
    }
]

SQLITE, POSTGRESQL = "django.db.backends.sqlite3", "django.db.backends.postgresql"


def database() -> dict:
    """The database of ``DATABASE_URL``; without one, SQLite in the data folder."""
    url = os.environ.get("DATABASE_URL", "")
    try:
        found = (
            dj_database_url.parse(url)
            if url
            else {"ENGINE": SQLITE, "NAME": str(DATA_DIR / "parlour.sqlite3")}
        )
    except dj_database_url.UnknownSchemeError:
        found = {"ENGINE": "unknown"}
    except (dj_database_url.ParseError, ValueError) as error:
        raise ImproperlyConfigured(f"DATABASE_URL cannot be read: {error}") from error
    if found["ENGINE"] == SQLITE:
        found["OPTIONS"] = {
            "timeout": 10,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        }
    elif found["ENGINE"] == POSTGRESQL:
        size = env_int("DATABASE_POOL", default=16, least=1)
        options = found.setdefault("OPTIONS", {})
        options["pool"] = {
            "min_size": 1,
            "max_size": size,
            "timeout": 3,  # seconds; a table's page gives a line up after eight without an answer
            "reconnect_timeout": 5,  # then a request tries anew, not the pool at ever longer times
        }
        found["CONN_HEALTH_CHECKS"] = True  # what died with the server is not handed out
    else:
        raise ImproperlyConfigured(
            "DATABASE_URL must begin with postgres:// or sqlite://; other databases are not known."
        )
    # The pool keeps connections for all threads; on SQLite each of the few threads keeps its own.
    found["CONN_MAX_AGE"] = None if found["ENGINE"] == SQLITE else 0
    return found


DATABASES = {"default": database()}

VALKEY_SOCKET = socket_folder(DATA_DIR) / "valkey.sock"
REDIS_URL = os.environ.get("REDIS_URL") or f"unix://{quote(str(VALKEY_SOCKET))}"
if not REDIS_URL.startswith(("redis://", "rediss://", "unix://")):
    raise ImproperlyConfigured("REDIS_URL must begin with redis://, rediss:// or unix://.")
CACHES = {
    "default": {
        "BACKEND": "portal.cache.PatientCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "parlour",
        "OPTIONS": patience(REDIS_URL, 1.0),
    }
}
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "games.realtime.layer.PatientLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": "parlour"},
    }
}
CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1)
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # A move does not wait for a broker that is away: the sweep finds what was not sent.
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
    "interval_max": 0.1,
    "socket_connect_timeout": 2,
    "socket_timeout": 5,
}
CELERY_TASK_DEFAULT_QUEUE = "parlour"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TIMEZONE = "UTC"
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker as long as it takes
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_BEAT_SCHEDULER = "portal.beat:OneBeat"
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat-schedule")
CELERY_BEAT_MAX_LOOP_INTERVAL = 1  # seconds; clocks are swept each second
CELERY_BEAT_SCHEDULE = {
    # ``expires``: a worker that was away need not catch up on these.
    "heartbeat": {
        "task": "portal.tasks.heartbeat",
        "schedule": timedelta(seconds=5),
        "options": {"expires": 15},
    },
    "sweep-clocks": {
        "task": "games.tasks.sweep",
        "schedule": timedelta(seconds=1),
        "options": {"expires": 2},
    },
    "tell-people": {
        "task": "games.tasks.tell_people",
        "schedule": timedelta(minutes=1),
        "options": {"expires": 60},
    },
    "close-deserted-tables": {
        "task": "games.tasks.close_deserted",
        "schedule": timedelta(minutes=1),
        "options": {"expires": 60},
    },
    "follow-the-clock": {
        "task": "games.tasks.follow_the_clock",
        "schedule": timedelta(minutes=1),
        "options": {"expires": 60},
    },
    "close-old-tables": {
        "task": "games.tasks.close_old_tables",
        "schedule": timedelta(hours=1),
    },
    "try-stopped-tables": {
        "task": "games.tasks.try_stopped",
        "schedule": timedelta(hours=1),
    },
    "mail-watch-lists": {
        "task": "wiki.tasks.send_digests",
        "schedule": timedelta(hours=1),
    },
    "clean-wiki": {
        "task": "wiki.tasks.clean_up",
        "schedule": timedelta(hours=1),
    },
    "remove-idle-guests": {
        "task": "portal.tasks.remove_idle_guests",
        "schedule": timedelta(hours=1),
    },
    "lift-blocks": {
        "task": "portal.tasks.lift_blocks",
        "schedule": timedelta(minutes=10),
    },
    "remove-old-sessions": {
        "task": "portal.tasks.remove_old_sessions",
        "schedule": timedelta(hours=1),
    },
}

AUTH_USER_MODEL = "portal.User"
AUTHENTICATION_BACKENDS = [
    "portal.rights.OneQuestion",
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
# What may be written how fast, by guests, new accounts and established ones; 0: as fast as they like.
WIKI_EDITS_PER_MINUTE = env_ints("WIKI_EDITS_PER_MINUTE", default=(5, 10, 40), least=0)
WIKI_EDITS_PER_HOUR = env_ints("WIKI_EDITS_PER_HOUR", default=(30, 60, 600), least=0)
WIKI_NEW_PAGES_PER_HOUR = env_ints("WIKI_NEW_PAGES_PER_HOUR", default=(3, 10, 60), least=0)
WIKI_RENAMES_PER_HOUR = env_ints("WIKI_RENAMES_PER_HOUR", default=(1, 5, 60), least=0)
WIKI_UPLOADS_PER_HOUR = env_ints(
    "WIKI_UPLOADS_PER_HOUR", default=(1, 20, 100), least=0
)  # tried ones
WIKI_GUEST_EDITS_PER_ADDRESS = env_int(
    "WIKI_GUEST_EDITS_PER_ADDRESS", default=200, least=0
)  # an hour
# What guests and new accounts may add in one edit; -1: any number.
WIKI_OUTSIDE_LINKS = env_ints("WIKI_OUTSIDE_LINKS", default=(3, 5), least=-1)
WIKI_OUTSIDE_HOSTS = env_ints("WIKI_OUTSIDE_HOSTS", default=(0, 0), least=-1)  # not on the page yet
GUESTS_PER_HOUR = env_int("GUESTS_PER_HOUR", default=300, least=0)  # from one address; 0: no limit
API_READS_PER_MINUTE = env_int(
    "API_READS_PER_MINUTE", default=300, least=0
)  # of one person or address
API_WRITES_PER_MINUTE = env_int("API_WRITES_PER_MINUTE", default=30, least=0)  # 0: no limit
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_ADAPTER = "portal.people.AccountAdapter"
ACCOUNT_FORMS = {
    "add_email": "portal.forms.AddEmailForm",
    "change_password": "portal.forms.ChangePasswordForm",
    "login": "portal.forms.LoginForm",
    "reauthenticate": "portal.forms.ReauthenticateForm",
    "reset_password": "portal.forms.ResetPasswordForm",
    "reset_password_from_key": "portal.forms.ResetPasswordKeyForm",
    "set_password": "portal.forms.SetPasswordForm",
    "signup": "portal.forms.SignupForm",
}
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # a reset that nobody needs sends no mail to strangers
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_PRESERVE_USERNAME_CASING = True
SESSION_COOKIE_AGE = 365 * 86400  # a guest has nothing but this cookie
GUEST_DAYS = 90  # an idle guest goes after so many days; one at a running table with the cookie

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "games.finders.LibraryFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "portal.storage.StaticStorage"},
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG
MEDIA_URL = "/media/"
MEDIA_ROOT = DATA_DIR / "media"
# Far above what a page may have, so that the wiki refuses a text in words and gives it back.
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 2**20
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_PORT = env_int("EMAIL_PORT", default=587)
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = env_bool("EMAIL_USE_TLS", default=True)
EMAIL_FILE_PATH = DATA_DIR / "mail"
EMAIL_BACKEND = (
    "django.core.mail.backends.smtp.EmailBackend"
    if EMAIL_HOST
    else "django.core.mail.backends.filebased.EmailBackend"
)
SITE_URL = os.environ.get("SITE_URL") or f"http://{HOST}:{PORT}"  # for links in mail
DEFAULT_FROM_EMAIL = os.environ.get("EMAIL_FROM") or "Parlour <parlour@localhost>"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        "django.request": {"level": "ERROR"},  # a page not found is no event
        "django.security": {"level": "CRITICAL"},  # nor is a host or a form that was made up
        "django.security.csrf": {"level": "WARNING"},  # this may be a proxy that is not set up
    },
}

HTTPS = env_bool("HTTPS", default=False)  # behind a proxy that speaks HTTPS
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SECURE_HSTS_SECONDS = 30 * 86400
CSRF_FAILURE_VIEW = "portal.errors.csrf_failure"

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# Seconds the engine waits before it plays for a bot or a zombie, so that people can follow.
BOT_DELAY = env_float("PARLOUR_BOT_DELAY", default=0.6, least=0)
