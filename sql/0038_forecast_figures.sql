-- Figures of a snapshot that are read one by one (behaviour §7.33), because its text is too long for that. Deleted with their snapshot.

create table capacity_projects (
  account_id bigint not null,
  snapshot_id bigint not null references capacity_snapshots on delete cascade,
  project_id bigint not null,
  forecast_date date,
  buffered_date date,
  outlook text not null,
  primary key (snapshot_id, project_id)
);

-- Weeks in which a person has more work than hours.
create table capacity_overloads (
  account_id bigint not null,
  snapshot_id bigint not null references capacity_snapshots on delete cascade,
  user_id bigint not null,
  week date not null,
  primary key (snapshot_id, user_id, week)
);
