-- `certificate` and `webhook` are names of secrets, and kinds of checks. What has nothing but the fields of such a check (or of a
-- playbook's webhook, migration 0043) is none; below it names count as everywhere. Until now such checks were shown as
-- stars, and figures in them came back as text.
create function is_secret_part(key text, part jsonb) returns boolean language sql immutable as $$
  select is_spec_secret(key) and not case key
    when 'certificate' then not part @? '$[*] ? (@.type() != "object" || !exists(@.endpoint))'
    when 'webhook' then jsonb_typeof(part) = 'object' and (part - '{path,authentication}'::text[] = '{}'
      or part - '{name,description,namespace,icon,endpoint,labels,owner,severity,token,test,display,transform,transformDeleteStrategy,metrics,relationships,dependsOn}'::text[] = '{}')
    else false end
$$;

create or replace function shown_spec(content jsonb, is_secret boolean) returns jsonb language plpgsql immutable as $$
begin
  return case jsonb_typeof(content)
    when 'object' then (select coalesce(jsonb_object_agg(key, case
        when key = any(array['valueFrom', 'labels', 'annotations', 'tags', 'test', 'display', 'transform', 'metrics', 'relationships']) and (key = 'valueFrom' or not is_secret) then value
        when key = 'name' then value
        when key = 'value' then shown_spec(value, is_secret or coalesce(is_spec_secret(content ->> 'name'), false))
        else shown_spec(value, is_secret or is_secret_part(key, value)) end), '{}')
      from jsonb_each(content))
    when 'array' then (select coalesce(jsonb_agg(shown_spec(value, is_secret) order by number), '[]')
      from jsonb_array_elements(content) with ordinality as parts (value, number))
    when 'string' then to_jsonb(shown_spec_text(content #>> '{}', is_secret))
    when 'number' then case when is_secret then '"***"'::jsonb else content end
    else content
  end;
end $$;

create or replace function keep_spec(owner uuid, spec jsonb, before jsonb default null) returns jsonb language plpgsql as $$
declare
  this_round constant uuid := gen_random_uuid();
  may_grant constant boolean := coalesce(current_setting('holdfast.may_grant', true) = 'yes', false);
  result jsonb := spec;
begin
  if jsonb_typeof(spec) = 'object' then
    result := joined_spec(spec, (select coalesce(jsonb_object_agg(key, list), '{}') from (
      select key, jsonb_agg(shown_spec(entry, is_secret_part(key, entry)) order by number) as list
      from spec_entries(spec) group by key) as shown));
    if before is not null then perform move_secrets(owner, before, result, may_grant); end if;
    perform keep_entry(owner, given.place, given.entry, shown.entry, place_binding(key, shown.entry, result), this_round)
      from spec_entries(spec) as given join spec_entries(result) as shown using (key, number);
  end if;
  delete from spec_secrets where row_id = owner and round <> this_round;
  return result;
end $$;
