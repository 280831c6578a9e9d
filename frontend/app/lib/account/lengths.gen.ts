// Made by `npm run api:types` from services/command; not to be edited.

/** The least and the most characters of what is stored for a visitor. */
export const LENGTHS = {
  "email": {
    "min": 0,
    "max": 200
  },
  "name": {
    "min": 0,
    "max": 100
  },
  "password": {
    "min": 10,
    "max": 128
  },
  "note": {
    "min": 0,
    "max": 2000
  },
  "searchName": {
    "min": 1,
    "max": 120
  }
} as const;
