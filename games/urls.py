"""Addresses of tables; ``portal`` mounts them at the root."""

from django.urls import path

from games import views

urlpatterns = [
    path("tables/", views.my_tables, name="my_tables"),
    path("tables/new/", views.open_table, name="open_table"),
    path("tables/waiting", views.waiting, name="waiting"),
    path("tables/next", views.next_table, name="next_table"),
    path("tables/<str:table_id>/", views.table, name="table"),
    path("tables/<str:table_id>/join/", views.join_table, name="join_table"),
    path("tables/<str:table_id>/leave/", views.leave_table, name="leave_table"),
    path("tables/<str:table_id>/start/", views.start_table, name="start_table"),
    path("tables/<str:table_id>/fill/", views.fill_table, name="fill_table"),
    path("tables/<str:table_id>/return/", views.return_to_seat, name="return_to_seat"),
    path("tables/<str:table_id>/take-over/", views.take_over_seat, name="take_over_seat"),
    path("tables/<str:table_id>/set-aside/", views.set_aside, name="set_aside"),
    path("tables/<str:table_id>/again/", views.rematch, name="rematch"),
    path("tables/<str:table_id>/state", views.table_state, name="table_state"),
    path("tables/<str:table_id>/past/<str:ply>", views.table_past, name="table_past"),
    path("tables/<str:table_id>/export", views.table_export, name="table_export"),
    path("tables/<str:table_id>/moves", views.table_moves, name="table_moves"),
    path("tables/<str:table_id>/hint", views.table_hint, name="table_hint"),
    path("tables/<str:table_id>/act", views.table_act, name="table_act"),
    path("tables/<str:table_id>/undo", views.table_undo, name="table_undo"),
    path("tables/<str:table_id>/check", views.table_check, name="table_check"),
    path("tables/<str:table_id>/say", views.table_say, name="table_say"),
    path("tables/<str:table_id>/note", views.table_note, name="table_note"),
    path("games/<slug:slug>/play-now/", views.play_now, name="play_now"),
]
