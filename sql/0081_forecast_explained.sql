-- Explanations of a project's forecast in addition to its dates (behaviour §24.11). Null in snapshots of an older process.
alter table capacity_projects add column explained json;
