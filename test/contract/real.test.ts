import { contract } from './contract.ts';
import { realSubject } from './subject.ts';

contract('the real cluster', realSubject);
