import { expect, it } from 'vitest';
import { bradleyTerry } from '../../src/stats/index.ts';

/**
 * The 1987 season of the American League's eastern division, wins of the row's team over the column's (Agresti,
 * Categorical Data Analysis, 2nd ed. 2002, Table 10.10), teams in the order of TEAMS.
 */
const TEAMS = ['Milwaukee', 'Detroit', 'Toronto', 'New York', 'Boston', 'Cleveland', 'Baltimore'];
const SEASON = [
  [0, 7, 9, 7, 7, 9, 11],
  [6, 0, 7, 5, 11, 9, 9],
  [4, 6, 0, 7, 7, 8, 12],
  [6, 8, 6, 0, 6, 7, 10],
  [6, 2, 6, 7, 0, 7, 12],
  [4, 4, 5, 6, 6, 0, 6],
  [2, 4, 1, 3, 1, 7, 0],
];
const season = SEASON.flatMap((row, i) =>
  row.flatMap((count, j) => (i === j ? [] : [{ winner: TEAMS[i] ?? '', loser: TEAMS[j] ?? '', count }])),
);

it('gives the strengths that BradleyTerry2 for R prints for its baseball data, Baltimore 0', () => {
  const found = bradleyTerry(season);
  const over = (team: string) => (found?.get(team) ?? Number.NaN) - (found?.get('Baltimore') ?? Number.NaN);
  // summary(baseballModel1), Turner and Firth, J. Stat. Software 48(9), 2012, §2.2
  const published = {
    Boston: 1.1077,
    Cleveland: 0.6839,
    Detroit: 1.4364,
    Milwaukee: 1.5814,
    'New York': 1.2476,
    Toronto: 1.2945,
  };
  for (const [team, strength] of Object.entries(published)) expect(over(team)).toBeCloseTo(strength, 4);
});

it('of two alone, the difference is the log odds', () => {
  const wins = [
    { winner: 'a', loser: 'b', count: 30 },
    { winner: 'b', loser: 'a', count: 10 },
  ];
  expect(bradleyTerry(wins)?.get('a')).toBeCloseTo(Math.log(3) / 2, 8);
  expect(bradleyTerry(wins, { prior: 0.5 })?.get('b')).toBeCloseTo(-Math.log(30.5 / 10.5) / 2, 8);
});

it('says that there is no estimate where one never lost, unless half a win is given beforehand', () => {
  const wins = [
    { winner: 'a', loser: 'b', count: 8 },
    { winner: 'b', loser: 'c', count: 5 },
    { winner: 'c', loser: 'b', count: 2 },
  ];
  expect(bradleyTerry(wins)).toBeNull();
  const given = bradleyTerry(wins, { prior: 0.5 });
  expect([...(given?.entries() ?? [])].toSorted((x, y) => y[1] - x[1]).map(([name]) => name)).toEqual([
    'a',
    'b',
    'c',
  ]);
  expect(bradleyTerry([])).toBeNull();
});

it('refuses what cannot have been', () => {
  expect(() => bradleyTerry([{ winner: 'a', loser: 'a', count: 1 }])).toThrow(RangeError);
  expect(() => bradleyTerry([{ winner: 'a', loser: 'b', count: -1 }])).toThrow(RangeError);
});
