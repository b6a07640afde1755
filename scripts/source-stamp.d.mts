export function isBuilt(): boolean;
export function contractStamp(): string;
