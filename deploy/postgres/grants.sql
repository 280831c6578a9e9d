-- What the roles may do in the database `almijara`: each makes a schema of its own (`ledger`, `read`,
-- `visitor`, `operator`), and none sees into another's unless its owner says so. Query may read `read`, which
-- projections grant it, and of `visitor` the counts of searches, which command grants it. May be run again at
-- any time. `almijara up` runs this same file.
revoke all on database almijara from public;
grant connect on database almijara to almijara_query;
grant connect, create on database almijara
    to almijara_sync, almijara_projections, almijara_command, almijara_console;
