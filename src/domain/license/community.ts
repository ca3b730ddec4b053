/**
 * The license that counts when no other is set, so that everything works out of the box, and the key it is signed
 * with. It does not expire. The private half was thrown away when this file was made: nobody can issue another one.
 *
 * A distributor builds in a key of their own: `svc license keygen` makes a pair, `svc license issue` signs with the
 * private half; the public half goes in place of `communityPublicKey` (both count, if both are listed), and without
 * `communityLicense` the product does not act until a license is set.
 */
export const communityPublicKey = 'MCowBQYDK2VwAyEA37cyJR0wt3T1dD2RxfqUNt3O+OAAl4u4d+1hLz0I16w=';

export const communityLicense = `-----BEGIN SVC LICENSE-----
eyJ2ZXJzaW9uIjoxLCJpZCI6ImNvbW11bml0eSIsImxpY2Vuc2VlIjoidGhlIGNv
bW11bml0eSIsImlzc3VlZEF0IjoiMjAyNi0wMS0wMVQwMDowMDowMC4wMDBaIn26
oaN8QSlOzeWNMpE//1HRJCG3TAMjioA8CrHIncrBdLwSEzt3QCdWfJD8nXqGHRiK
m8Im5qsGH9FcdubT9VwF
-----END SVC LICENSE-----
`;
