"""Addresses of the wiki, below /wiki/. Revisions are named by their row ids."""

from django.urls import path

from wiki import views
from wiki.views import drafts, files, languages, log, moderating, naming, user_groups

urlpatterns = [
    path("", views.index, name="wiki_index"),
    path("changes/", views.changes, name="wiki_changes"),
    path("changes/feed/", views.changes_feed, name="wiki_changes_feed"),
    path("watchlist/", views.watchlist, name="wiki_watchlist"),
    path("watchlist/feed/<str:key>/", views.watchlist_feed, name="wiki_watchlist_feed"),
    path("drafts/", drafts.drafts, name="wiki_drafts"),
    path("drafts/<int:pk>/discard/", drafts.discard_draft, name="wiki_draft_discard"),
    path("notices/", views.notices, name="wiki_notices"),
    path("notices/<int:notice_id>/", views.open_notice, name="wiki_notice"),
    path("reports/shortcodes/", views.shortcodes, name="wiki_shortcodes"),
    path("search/", views.search, name="wiki_search"),
    path("search/suggest/", views.suggest, name="wiki_suggest"),
    path(
        "contributions/<path:name>/feed/",
        views.contributions_feed,
        name="wiki_contributions_feed",
    ),
    path("contributions/<path:name>/", views.contributions, name="wiki_contributions"),
    path("files/", files.files, name="wiki_files"),
    path("files/upload/", files.upload, name="wiki_upload"),
    path("files/picture/<str:name>", files.picture, name="wiki_picture"),
    path("files/<str:slug>/", files.file_page, name="wiki_file"),
    path("files/<str:slug>/hide/", files.hide, name="wiki_file_hide"),
    path("files/<str:slug>/revert/<int:version_id>/", files.revert, name="wiki_file_revert"),
    path("reports/groups/", user_groups.groups, name="wiki_groups"),
    path("log/", log.log, name="wiki_log"),
    path("reports/deleted/", moderating.deleted, name="wiki_deleted"),
    path("reports/deleted/<int:page_id>/", moderating.deleted_page, name="wiki_deleted_page"),
    path("<str:slug>/", views.page_view, name="wiki_page"),
    path("<str:slug>/talk/", views.talk, name="wiki_talk"),
    path("<str:slug>/source/", views.source, name="wiki_source"),
    path("<str:slug>/wikitext/<int:revision_id>/", views.wikitext, name="wiki_wikitext"),
    path("<str:slug>/history/", views.history, name="wiki_history"),
    path("<str:slug>/history/feed/", views.history_feed, name="wiki_history_feed"),
    path("<str:slug>/diff/", views.compare, name="wiki_compare"),
    path("<str:slug>/diff/<int:old_id>/<int:new_id>/", views.diff, name="wiki_diff"),
    path("<str:slug>/edit/", views.edit, name="wiki_edit"),
    path("<str:slug>/draft/", drafts.draft, name="wiki_draft"),
    path("<str:slug>/language/", languages.languages, name="wiki_languages"),
    path("<str:slug>/watch/", views.watch, name="wiki_watch"),
    path("<str:slug>/rename/", naming.rename, name="wiki_rename"),
    path("<str:slug>/protect/", views.protect, name="wiki_protect"),
    path("<str:slug>/revert/<int:revision_id>/", views.revert, name="wiki_revert"),
    path("<str:slug>/delete/", moderating.delete, name="wiki_delete"),
    path("<str:slug>/hide/<int:revision_id>/", moderating.hide, name="wiki_hide"),
]
