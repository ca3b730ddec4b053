/** Answered by the satellite with JSON; the service itself has nothing there, and that is how the page knows it is back. */
export const statusPath = '/.well-known/svc-satellite';

/** On every answer of a satellite, so that the page can tell it from the service. */
export const satelliteHeader = 'svc-satellite';

/** The link leads to the same place either way; what one does there differs. */
export const actWords = { asleep: 'Wake it up', waking: 'Watch it wake' } as const;

/**
 * Follows the wake and reloads once, after the service has answered twice in a row. It writes text only, so nothing
 * that it is told can become markup.
 */
export const pageScript = `(()=>{
const get=(id)=>document.getElementById(id),path=document.querySelector('main').dataset.status;
let back=0,wait=3000;
const show=(s)=>{get('title').textContent=document.title=s.title;get('message').textContent=s.message;
const reached=s.state==='waking'?1:s.state==='awake'?2:0;
[...get('steps').children].forEach((li,i)=>{li.dataset.done=String(i<reached);i===reached?li.setAttribute('aria-current','step'):li.removeAttribute('aria-current')});
get('act').textContent=reached?'${actWords.waking}':'${actWords.asleep}';get('need').hidden=reached>0;
const bar=get('bar');bar.hidden=!s.progress;if(s.progress){bar.max=s.progress.total;bar.value=s.progress.up}
const until=get('until');until.hidden=!s.expectedBack;until.firstElementChild.textContent=s.expectedBack||''};
const look=async()=>{try{const r=await fetch(path,{cache:'no-store',headers:{accept:'application/json'}});
if(r.headers.has('${satelliteHeader}')){back=0;show(await r.json());wait=3000}
else if(r.status<500&&++back>1){location.reload();return}
else wait=r.status<500?1000:3000}catch{back=0;wait=5000}
setTimeout(look,wait)};
setTimeout(look,wait)})()`;
