/** What is asked of a PostgreSQL that is scraped. Sizes and counts move by themselves and are left out. */
export const DATABASE_SQL = `select current_database() as name, current_setting('server_version') as version,
  pg_encoding_to_char(encoding) as encoding, datcollate as collation, pg_get_userbyid(datdba) as owner,
  (select json_object_agg(name, setting || coalesce(unit, '') order by name) from pg_settings
    where source not in ('default', 'client', 'session', 'override') and name !~ '(password|conninfo|passphrase)') as settings,
  (select json_object_agg(extname, extversion order by extname) from pg_extension) as extensions
from pg_database where datname = current_database()`;

/** Tables, views and foreign tables with their columns, indexes and who may do what. */
export const TABLES_SQL = `select n.nspname as schema, c.relname as name, pg_get_userbyid(c.relowner) as owner,
  case c.relkind when 'r' then 'table' when 'p' then 'partitioned table' when 'v' then 'view'
    when 'm' then 'materialized view' else 'foreign table' end as kind,
  c.relrowsecurity as row_security,
  (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
      'required', a.attnotnull) order by a.attnum)
    from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
  (select json_agg(pg_get_indexdef(i.indexrelid) order by i.indexrelid::regclass::text)
    from pg_index i where i.indrelid = c.oid) as indexes,
  c.relacl::text[] as grants
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not in ('pg_catalog', 'information_schema')
  and n.nspname not like 'pg_toast%' and n.nspname not like 'pg_temp%' order by 1, 2`;

/** Roles without their passwords. */
export const ROLES_SQL = `select r.rolname as name, r.rolsuper as superuser, r.rolcreaterole as creates_roles,
  r.rolcreatedb as creates_databases, r.rolcanlogin as signs_in, r.rolreplication as replication,
  r.rolbypassrls as bypasses_row_security, r.rolvaliduntil as valid_until,
  (select json_agg(g.rolname order by g.rolname) from pg_auth_members m join pg_roles g on g.oid = m.roleid
    where m.member = r.oid) as member_of
from pg_roles r where r.rolname !~ '^pg_' order by 1`;
