const HOUR_MS = 60 * 60 * 1_000;

/** The day that a moment falls on in mainland Spain; months count from 0. */
export function spanishDay(timestamp: string): { day: number; month: number; year: number } {
  const time = Date.parse(timestamp);
  const there = new Date(time + (isSummer(time) ? 2 : 1) * HOUR_MS);
  return { day: there.getUTCDate(), month: there.getUTCMonth(), year: there.getUTCFullYear() };
}

/** Between the last Sundays of March and October, at one o'clock in Greenwich. */
function isSummer(time: number): boolean {
  const year = new Date(time).getUTCFullYear();
  return time >= lastSunday(year, 2) && time < lastSunday(year, 9);
}

function lastSunday(year: number, month: number): number {
  const end = new Date(Date.UTC(year, month + 1, 0, 1));
  return end.setUTCDate(end.getUTCDate() - end.getUTCDay());
}
