/** For tests only: rows of the shared data set that the calls are about. */
export const CONFIG = '3d662386-667d-5079-99d2-c3ab7e409b5e';
export const NODE_CONFIG = '8191ca3e-cba2-56bf-82d6-36176b5e3cc5';
export const RDS_CONFIG = '8e599df1-ddcc-5f88-83b2-25e568a1fbe2';
export const FINDING = '4a336d01-1958-519b-9ee0-2582c0c8d0ee';
export const COMPONENT = '018681fd-5770-336f-227c-259435d7fc6b';
export const TOPOLOGY_ROOT = '018681fc-e54f-bd4f-42be-068a9a69eeb5';
export const UI_COMPONENT = '018681fd-c1ff-16ee-dff0-8c8796e4263e';
export const DB_COMPONENT = '018681fe-4529-c50f-26fd-530fa9c57319';
export const CHECK = '0186b7a4-9338-7142-1b10-25dc49030218';
export const CANARY = '0186b7a5-f246-3628-0d68-30bffc13244d';
export const PERSON = '01653e30-39a6-482a-8a9c-2bb8debaf440';
export const TEAM = '82dc18c9-1699-505c-87b7-54d09f6a001a';
export const TOPOLOGY = 'df39086e-506b-4ad9-9af7-baf5275c382b';
export const SCRAPER = 'b8f22b96-e9e5-524e-a597-a410a935c927';
export const INCIDENT = '7c05a739-8a1c-4999-85f7-d93d03f32044';
export const HYPOTHESIS = 'fa67953d-0f28-5c30-9328-4c1945806a77';
export const PLAYBOOK = '07ffd27a-b33f-4ee6-80d6-b83430a4a16e';
export const RUN = '17ffd27a-b33f-4ee6-80d6-b83430a4a16e';
export const AGENT = 'ebd4cbf7-267e-48f9-a050-eca12e535ce1';
export const NOTIFICATION = '605dcaaa-9637-4ff3-bb57-233b8a151e3a';
export const CONNECTION = '6c4c4c4c-0000-0000-0000-000000000001';
export const NOBODY = '00000000-0000-4000-8000-00000000ffff';
/** Made before the calls (notification-seed-query.ts). */
export const SENT = '90000000-0000-4000-8000-000000000011';
export const SILENCE = '90000000-0000-4000-8000-000000000012';
/** Made before the calls (playbook-seed-query.ts). */
export const STEP = '90000000-0000-4000-8000-000000000013';
/** Made by the calls themselves. */
export const NEW_INCIDENT = '90000000-0000-4000-8000-000000000001';
export const NEW_PLAYBOOK = '90000000-0000-4000-8000-000000000003';
export const NEW_HYPOTHESIS = '90000000-0000-4000-8000-000000000002';

/** id, name, avatar. */
export const A = 'id,name,avatar';
