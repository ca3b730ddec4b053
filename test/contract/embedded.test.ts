import { contract } from './contract.ts';
import { embeddedSubject } from './subject.ts';

contract('the embedded cluster', embeddedSubject);
