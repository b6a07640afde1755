-- What agents push comes in batches: a component may be moved below one that is added a statement later.
alter table components alter constraint components_parent_id_fkey deferrable;
