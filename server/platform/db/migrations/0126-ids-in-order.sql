-- Ids of one millisecond sort in the order in which they were made. What is listed by time and id, such as the history of
-- an incident, was in any order where two rows are of one moment: PGlite's clock counts milliseconds.
create sequence id_number minvalue 0 maxvalue 268435455 cycle;

-- 48 bits of time, 28 of the number, 52 that are random.
create or replace function generate_ulid() returns uuid language plpgsql volatile as $$
declare
  noise constant text := replace(gen_random_uuid()::text, '-', '');
begin
  return (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
    || lpad(to_hex(nextval('id_number')), 7, '0') || substr(noise, 1, 12) || substr(noise, 18, 1))::uuid;
end $$;
