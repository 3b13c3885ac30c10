-- What pages say of a project's forecast besides its dates (behaviour §24.11); null in snapshots of an older process.
alter table capacity_projects add column explained json;
