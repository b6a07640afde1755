-- Sign-in, harder to misuse: access tokens are found by a mark without hashing, and say what they open; those of
-- kubeconfig files open the cluster proxy alone and end. Errors for a page are no longer stored. Memberships know
-- whether the sign-in provider named them, so that they end when it no longer does.

alter table access_tokens add column token_mark text;
alter table access_tokens add column scope text check (scope in ('cluster-proxy'));
create unique index access_tokens_token_mark_idx on access_tokens (token_mark);
update access_tokens
   set scope = 'cluster-proxy', expires_at = least(expires_at, now() + interval '30 days')
 where name = 'kubeconfig';

drop table identity_errors;

alter table organization_members add column is_provided boolean not null default false;
-- Until now only makers of an organisation were members by another way than the provider's word.
update organization_members m set is_provided = true
  from organizations o where o.id = m.organization_id and o.created_by is distinct from m.person_id;
