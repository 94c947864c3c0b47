(function(){
'use strict';
var NS='http://www.w3.org/2000/svg';
var run=JSON.parse(document.getElementById('run').textContent);
function $(id){return document.getElementById(id);}
function el(name,attrs,kids){var e=document.createElement(name);set(e,attrs);add(e,kids);return e;}
function sv(name,attrs,kids){var e=document.createElementNS(NS,name);set(e,attrs);add(e,kids);return e;}
function set(e,attrs){Object.keys(attrs||{}).forEach(function(k){e.setAttribute(k,attrs[k]);});}
function add(e,kids){(Array.isArray(kids)?kids:kids===undefined?[]:[kids]).forEach(function(k){e.appendChild(typeof k==='object'?k:document.createTextNode(String(k)));});}
function fmt(v){if(v===null||v===undefined)return 'N/A';var a=Math.abs(v);var s=a>=1000?v.toFixed(0):a>=10?v.toFixed(1):a>=1?v.toFixed(2):v.toPrecision(3);if(s.indexOf('.')>=0&&s.indexOf('e')<0)s=s.replace(/\.?0+$/,'');return s.replace(/\B(?=(\d{3})+(?!\d))/g,function(m,o,i,all){var dot=(all||s).indexOf('.');return dot>=0&&o>dot?'':',';});}
function color(i){return 'var(--s'+(i%8)+')';}
var DASH=['','7 3','2 2.5','9 3 2 3'];
/* --- hover and focus: one tip for all charts --- */
var tip=el('div',{id:'tip',role:'tooltip',hidden:''});document.body.appendChild(tip);
function show(text,x,y){tip.textContent=text;tip.hidden=false;var w=tip.offsetWidth,h=tip.offsetHeight;tip.style.left=Math.max(4,Math.min(innerWidth-w-4,x+14))+'px';tip.style.top=Math.max(4,y-h-12)+'px';}
function hide(){tip.hidden=true;}
function tipOn(e,text){e.addEventListener('pointermove',function(ev){show(text,ev.clientX,ev.clientY);});e.addEventListener('pointerleave',hide);e.addEventListener('focus',function(){var b=e.getBoundingClientRect();show(text,b.right,b.top);});e.addEventListener('blur',hide);}
document.addEventListener('keydown',function(ev){if(ev.key==='Escape')hide();});
/* --- axes --- */
function ticks(lo,hi,n){var span=hi-lo||Math.abs(hi)||1,rough=span/n,p=Math.pow(10,Math.floor(Math.log10(rough))),f=rough/p,s=(f<=1?1:f<=2?2:f<=5?5:10)*p,out=[];for(var v=Math.floor(lo/s)*s;v<hi+s*0.999;v+=s)out.push(Math.abs(v)<s/1e6?0:v);return out;}
function mark(i,x,y,r){if(i%5===0)return sv('circle',{cx:x,cy:y,r:r});var pts=i%5===1?[[-.9,-.9],[.9,-.9],[.9,.9],[-.9,.9]]:i%5===2?[[0,-1.25],[1.1,.7],[-1.1,.7]]:i%5===3?[[0,-1.25],[1.25,0],[0,1.25],[-1.25,0]]:[[0,1.25],[1.1,-.7],[-1.1,-.7]];return sv('polygon',{points:pts.map(function(p){return (x+p[0]*r).toFixed(1)+','+(y+p[1]*r).toFixed(1);}).join(' ')});}
/* chart({series:[{name,points:[[x,y,text]]}], x:{label,ticks?,map?,format}, y:{label,lo?}, marks:bool, window:[a,b]}) */
function chart(o){
  var W=620,H=o.height||300,L=62,R=14,T=o.window?24:10,B=46;
  var all=[];o.series.forEach(function(s){s.points.forEach(function(p){if(p[1]!==null)all.push(p);});});
  var box=el('div');
  if(!all.length){add(box,el('p',{},'No figures to draw.'));return box;}
  var svg=sv('svg',{viewBox:'0 0 '+W+' '+H,role:'group','aria-label':o.title});
  var map=o.x.map||function(v){return v;};
  var xs=all.map(function(p){return map(p[0]);}),ys=all.map(function(p){return p[1];});
  var x0=o.x.lo!==undefined?map(o.x.lo):Math.min.apply(null,xs),x1=o.x.hi!==undefined?map(o.x.hi):Math.max.apply(null,xs);
  if(x0===x1){x0-=0.5;x1+=0.5;}else if(o.marks){var pad=(x1-x0)*0.03;x0-=pad;x1+=pad;}
  var top=Math.max.apply(null,ys),yt=ticks(o.y.lo===undefined?Math.min(0,Math.min.apply(null,ys)):o.y.lo,top||1,5),y0=yt[0],y1=yt[yt.length-1];
  function X(v){return L+(map(v)-x0)/(x1-x0)*(W-L-R);}
  function Y(v){return H-B-(v-y0)/(y1-y0)*(H-B-T);}
  if(o.window){var a=Math.max(X(o.window[0]),L),b=Math.min(X(o.window[1]),W-R);if(b>a){svg.appendChild(sv('rect',{class:'win',x:a,y:T,width:b-a,height:H-B-T}));svg.appendChild(sv('text',{x:Math.min(a+2,W-R-116),y:T-7},'measurement window'));}}
  yt.forEach(function(v){svg.appendChild(sv('line',{class:'grid',x1:L,x2:W-R,y1:Y(v),y2:Y(v)}));svg.appendChild(sv('text',{x:L-6,y:Y(v)+4,'text-anchor':'end'},fmt(v)));});
  svg.appendChild(sv('line',{class:'axis',x1:L,x2:W-R,y1:Y(y0),y2:Y(y0)}));
  var free=-1e9;(o.x.ticks||ticks(x0,x1,7).filter(function(v){return v>=x0&&v<=x1;})).forEach(function(v){var at=X(v),t=o.x.format?o.x.format(v):fmt(v);if(at<L-1||at>W-R+1)return;svg.appendChild(sv('line',{class:'axis',x1:at,x2:at,y1:H-B,y2:H-B+4}));if(at-t.length*3.6>free){svg.appendChild(sv('text',{x:at,y:H-B+17,'text-anchor':'middle'},t));free=at+t.length*3.6;}});
  svg.appendChild(sv('text',{x:(L+W-R)/2,y:H-8,'text-anchor':'middle'},o.x.label));
  svg.appendChild(sv('text',{x:13,y:(T+H-B)/2,'text-anchor':'middle',transform:'rotate(-90 13 '+(T+H-B)/2+')'},o.y.label));
  o.series.forEach(function(s,i){
    var d='',pen='M';s.points.forEach(function(p){if(p[1]===null){pen='M';return;}d+=pen+X(p[0]).toFixed(1)+' '+Y(p[1]).toFixed(1);pen='L';});
    if(!o.dots)svg.appendChild(sv('path',{d:d,fill:'none',stroke:color(i),'stroke-width':o.marks?2:1.5,'stroke-dasharray':o.marks?DASH[i%4]:'','stroke-linejoin':'round'}));
    if(o.marks||o.dots)s.points.forEach(function(p){if(p[1]===null)return;var m=mark(i,X(p[0]),Y(p[1]),o.dots?2.2:4.2);set(m,{fill:color(i)});var t=p[2]||s.name+': '+fmt(p[1]);if(p[4])set(m,{fill:'var(--bg)',stroke:color(i),'stroke-width':2});if(o.marks){set(m,{class:'pt',tabindex:0,role:'img','aria-label':t});if(p[3]){m.addEventListener('click',function(){location.hash='cell='+encodeURIComponent(p[3]);});m.addEventListener('keydown',function(ev){if(ev.key==='Enter')location.hash='cell='+encodeURIComponent(p[3]);});m.style.cursor='pointer';}}tipOn(m,t);svg.appendChild(m);});
  });
  if(!o.marks&&!o.dots){
    var hair=sv('line',{class:'axis',y1:T,y2:H-B,visibility:'hidden'});svg.appendChild(hair);
    var hit=sv('rect',{class:'hit',x:L,y:T,width:W-L-R,height:H-B-T});svg.appendChild(hit);
    /* shows the figures nearest to a place of the drawing; x and y say where the tip goes */
    function at(px,x,y){var lines=[],best=null;
      o.series.forEach(function(s){var near=null;s.points.forEach(function(p){if(p[1]!==null&&(near===null||Math.abs(X(p[0])-px)<Math.abs(X(near[0])-px)))near=p;});if(near){lines.push(near[2]||s.name+': '+fmt(near[1]));if(best===null||Math.abs(X(near[0])-px)<Math.abs(X(best)-px))best=near[0];}});
      if(best!==null){hair.setAttribute('x1',X(best));hair.setAttribute('x2',X(best));hair.setAttribute('visibility','visible');show((o.x.format?o.x.format(best):fmt(best))+(o.x.unit||'')+'\n'+lines.join('\n'),x,y);}}
    hit.addEventListener('pointermove',function(ev){var r=svg.getBoundingClientRect();at((ev.clientX-r.left)/r.width*W,ev.clientX,ev.clientY);});
    /* the same by arrow keys, point by point */
    var xsDrawn=o.series[0].points.filter(function(p){return p[1]!==null;}),spot=-1;
    set(hit,{tabindex:0,role:'img','aria-label':o.title+'; arrow keys read the figures'});
    hit.addEventListener('keydown',function(ev){var step=ev.key==='ArrowRight'?1:ev.key==='ArrowLeft'?-1:ev.key==='PageDown'?20:ev.key==='PageUp'?-20:0;if(!step||!xsDrawn.length)return;ev.preventDefault();spot=Math.max(0,Math.min(xsDrawn.length-1,spot+step));var r=svg.getBoundingClientRect(),px=X(xsDrawn[spot][0]);at(px,r.left+px/W*r.width,r.top+T);hit.setAttribute('aria-label',tip.textContent);});
    hit.addEventListener('blur',function(){hair.setAttribute('visibility','hidden');hide();});
    hit.addEventListener('pointerleave',function(){hair.setAttribute('visibility','hidden');hide();});
  }
  box.appendChild(svg);
  if(o.series.length>1||o.marks){var ul=el('ul',{class:'legend'});o.series.forEach(function(s,i){var k=sv('svg',{viewBox:'0 0 26 12','aria-hidden':'true'});k.appendChild(sv('path',{d:'M0 6H26',stroke:color(i),'stroke-width':2,'stroke-dasharray':o.marks?DASH[i%4]:''}));if(o.marks){var m=mark(i,13,6,4);set(m,{fill:color(i)});k.appendChild(m);}var li=el('li',{},k);add(li,s.name);ul.appendChild(li);});box.appendChild(ul);}
  return box;
}
/* --- overview --- */
function uniq(a){var o=[];a.forEach(function(v){if(o.indexOf(v)<0)o.push(v);});return o;}
function select(label,values,names,on){var s=el('select');values.forEach(function(v,i){add(s,el('option',{value:v},names?names[i]:v));});s.addEventListener('change',on);add($('chart-controls'),el('label',{},[label+' ',s]));return s;}
function overview(){
  var cells=run.cells.filter(function(c){return c.figures;});
  if(!cells.length)return;
  $('charts').hidden=false;
  var heaps=uniq(cells.map(function(c){return c.heap;})),delays=uniq(cells.map(function(c){return c.delay;})),messages=uniq(cells.map(function(c){return c.message;}));
  var metrics=run.metrics;
  var sm=select(run.messageColumn,['*'].concat(messages),['all'].concat(messages.map(function(m){return run.messageNames[m]||m;})),draw);
  var sd=select('Back-end delay',delays,delays.map(function(d){return d+' ms';}),draw);
  var sh=select('Heap',heaps,null,draw);
  var sy=select('Second chart',metrics.map(function(m,i){return i;}),metrics.map(function(m){return m;}),draw);sy.value='1';
  if(messages.length>2)sm.value=messages.indexOf('1024')>=0?'1024':messages[0];
  function part(metric,cap,box){
    var groups={},order=[];
    cells.forEach(function(c){if(c.heap!==sh.value||c.delay!==sd.value||(sm.value!=='*'&&c.message!==sm.value))return;var name=c.scenario+(sm.value==='*'&&messages.length>1?', '+(run.messageNames[c.message]||c.message):'');if(!groups[name]){groups[name]=[];order.push(name);}var v=c.figures[metric];if(v!==null)groups[name].push([c.users,v,name+', '+c.users+' users\n'+metrics[metric]+': '+fmt(v)+(c.level==='valid'?'':'\n'+c.level+(c.reasons.length?': '+c.reasons[0]:'')),c.id,c.level!=='valid']);});
    var users=uniq(cells.map(function(c){return c.users;})).sort(function(a,b){return a-b;});
    cap.textContent=metrics[metric];
    box.replaceChildren(chart({title:metrics[metric]+' against concurrent users',series:order.map(function(n){return {name:n,points:groups[n].sort(function(a,b){return a[0]-b[0];})};}),marks:true,x:{label:'Concurrent users',ticks:users,map:function(v){return users.indexOf(v)<0?v:users.indexOf(v);}},y:{label:metrics[metric]}}));
  }
  if(cells.some(function(c){return c.level!=='valid';}))add($('charts'),el('p',{class:'hint'},'Hollow marks: rows whose verdict is doubtful or invalid. A mark opens its test case.'));
  function draw(){part(0,$('c1-cap'),$('c1'));part(Number(sy.value),$('c2-cap'),$('c2'));}
  draw();
}
/* --- table --- */
function table(){
  var t=$('table'),body=t.tBodies[0],rows=Array.prototype.slice.call(body.rows),heads=Array.prototype.slice.call(t.tHead.rows[0].cells);
  var shown=$('shown');$('filters').hidden=false;
  function value(row,i){var s=row.cells[i].textContent.trim(),n=Number(s);return s!==''&&!isNaN(n)?n:s;}
  heads.forEach(function(h,i){var b=el('button',{type:'button'},h.textContent);h.replaceChildren(b);b.addEventListener('click',function(){
    var up=h.getAttribute('aria-sort')!=='ascending';heads.forEach(function(o){o.removeAttribute('aria-sort');});h.setAttribute('aria-sort',up?'ascending':'descending');
    rows.map(function(r,k){return [value(r,i),k,r];}).sort(function(a,b){var x=a[0],y=b[0],o;if(typeof x===typeof y)o=x<y?-1:x>y?1:0;else return typeof x==='number'?-1:1;return (up?o:-o)||a[1]-b[1];}).forEach(function(e){body.appendChild(e[2]);});});});
  function filter(){var words=$('q').value.toLowerCase().split(/\s+/).filter(Boolean),v=$('f-verdict').value,n=0;rows.forEach(function(r){var text=Array.prototype.map.call(r.cells,function(c){return c.textContent;}).join(' ').toLowerCase(),ok=words.every(function(w){return text.indexOf(w)>=0;})&&(!v||r.classList.contains(v));r.hidden=!ok;if(ok)n++;});shown.textContent=n+' of '+rows.length+' test cases';}
  $('q').addEventListener('input',filter);$('f-verdict').addEventListener('change',filter);filter();
}
/* --- one test case --- */
function plain(head,rows){var t=el('table',{class:'plain'});add(t,el('thead',{},el('tr',{},head.map(function(h){return el('th',{scope:'col'},h);}))));add(t,el('tbody',{},rows.map(function(r){return el('tr',{},r.map(function(c,i){return el(i?'td':'th',i?(/^-?[\d.,]+( %)?$/.test(c)?{class:'num'}:{}):{scope:'row'},c);}));})));return t;}
function fig(title,box){return el('figure',{},[el('figcaption',{},title),box]);}
function detail(index){
  var c=run.cells[index],d=JSON.parse($('data-'+index).textContent),body=$('detail-body'),out=[];
  $('h-detail').textContent=c.id;
  out.push(el('p',{},[el('span',{class:'badge '+c.level},c.level),' ',c.reasons.length?'':'No rule speaks against these figures.']));
  if(c.reasons.length)out.push(el('ul',{},c.reasons.map(function(r){return el('li',{},r);})));
  if(d.failure)out.push(el('p',{},d.failure));
  if(d.figures&&d.figures.length)out.push(el('dl',{class:'tiles'},d.figures.map(function(f){return el('div',{},[el('dt',{},f[0]),el('dd',{},f[1])]);})));
  var charts=el('div',{class:'pair'});
  if(d.percentiles&&d.percentiles.length){var pt=[0,50,90,99,99.9,99.99,99.999,99.9999],far=0;d.percentiles.forEach(function(s){s[1].forEach(function(p){far=Math.max(far,p[0]);});});
    add(charts,fig('Response time by percentile',chart({title:'Response time by percentile',series:d.percentiles.map(function(s){return {name:s[0],points:s[1].map(function(p){return [p[0],p[1],s[0]+': '+fmt(p[1])+' ms'];})};}),x:{label:'Percentile (as far from 100 % as the samples reach)',unit:' %',map:function(p){return Math.log10(1/(1-Math.min(p,99.99999)/100));},ticks:pt.filter(function(p){return p<=far;}),lo:0,hi:Math.min(far,99.99999),format:function(p){return String(Math.round(p*1e5)/1e5);}},y:{label:'Response time (ms)'}})));}
  if(d.series&&d.series.length){var every=d.seconds>1?' (each point covers '+d.seconds+' s)':'';
    function line(i){return d.series.map(function(p){return [p[0],p[i]];});}
    add(charts,fig('Throughput over time'+every,chart({title:'Throughput over time',window:d.window,series:[{name:'Requests/s',points:line(1)},{name:'Errors/s',points:line(2)}],x:{label:'Seconds since the start',unit:' s',lo:0},y:{label:'Per second'}})));
    add(charts,fig('Response time over time'+every,chart({title:'Response time over time',window:d.window,series:[{name:'99th percentile (ms)',points:line(4)},{name:'Mean (ms)',points:line(3)}],x:{label:'Seconds since the start',unit:' s',lo:0},y:{label:'Response time (ms)'}})));}
  (d.gc||[]).forEach(function(g){var part=g.all>g.events.length?' (the longest of each of '+g.events.length+' stretches, of '+fmt(g.all)+' in all)':'';
    add(charts,fig(g.name+': heap over time',chart({title:g.name+' heap over time',window:d.window,series:[{name:'Before GC (MiB)',points:g.events.map(function(e){return [e[0],e[2]];})},{name:'After GC (MiB)',points:g.events.map(function(e){return [e[0],e[3]];})}],x:{label:'Seconds since the start of the load',unit:' s'},y:{label:'Heap (MiB)'}})));
    add(charts,fig(g.name+': GC pauses'+part,chart({title:g.name+' GC pauses',dots:true,window:d.window,series:[{name:'Pause (ms)',points:g.events.map(function(e){return [e[0],e[1],fmt(e[1])+' ms '+e[4]];})}],x:{label:'Seconds since the start of the load'},y:{label:'Pause (ms)'}})));});
  if(charts.childNodes.length)out.push(charts);
  function block(title,node){out.push(el('h3',{},title));out.push(node);}
  if(d.times&&d.times.length)block('Response times (ms)',el('div',{class:'scroll',tabindex:0,role:'region','aria-label':'Response times'},plain(d.timesHead,d.times)));
  if(d.failures&&d.failures.length)block('Failed samples by reason',plain(['Reason','Number'],d.failures));
  if(d.answers&&d.answers.length){block('First failed answers',el('div',{},d.answers.map(function(a){return el('pre',{},a);})));}
  if(d.probes&&d.probes.length)block('Probes',plain(['Probe','Status','Outcome','Detail'],d.probes));
  if(d.gcFigures&&d.gcFigures.length)block('Garbage collection',el('div',{class:'scroll',tabindex:0,role:'region','aria-label':'Garbage collection'},plain(['Figure'].concat(d.gcNames),d.gcFigures)));
  if(d.findings&&d.findings.length)out.push(el('ul',{},d.findings.map(function(f){return el('li',{},f);})));
  if(d.host&&d.host.length)block('Host metrics in the measurement window',el('div',{class:'scroll',tabindex:0,role:'region','aria-label':'Host metrics'},plain(['Metric'].concat(d.hostNames),d.host)));
  if(d.health&&d.health.length)block('Load generator',plain(['Figure','Value'],d.health));
  if(d.commands&&d.commands.length){block('Commands',el('div',{},d.commands.map(function(k){return el('div',{},[el('p',{},k[0]),el('pre',{},k[1])]);})));}
  if(d.facts&&d.facts.length)block('Further facts',plain(['Fact','Value'],d.facts));
  body.replaceChildren.apply(body,out);
}
function route(){
  var m=/^#cell=(.*)$/.exec(location.hash),rows=document.querySelectorAll('tr.current');
  rows.forEach(function(r){r.classList.remove('current');});
  var id=null;try{id=m&&decodeURIComponent(m[1]);}catch(e){id=null;}
  var index=id===null?-1:run.cells.findIndex(function(c){return c.id===id;});
  $('detail').hidden=index<0;
  if(index<0)return;
  detail(index);
  var row=document.querySelector('tr[data-cell="'+index+'"]');if(row)row.classList.add('current');
  $('detail').scrollIntoView();$('detail').focus({preventScroll:true});
}
/* --- theme: the system's until the reader chooses --- */
(function(){var b=$('theme'),root=document.documentElement;b.hidden=false;
  function dark(){var t=root.getAttribute('data-theme');return t?t==='dark':matchMedia('(prefers-color-scheme: dark)').matches;}
  function name(){b.textContent=dark()?'Light':'Dark';b.setAttribute('aria-label','Switch to '+(dark()?'light':'dark')+' colours');}
  b.addEventListener('click',function(){root.setAttribute('data-theme',dark()?'light':'dark');name();});name();})();
overview();table();route();
addEventListener('hashchange',route);
addEventListener('beforeprint',function(){document.querySelectorAll('details').forEach(function(d){d.open=true;});});
document.documentElement.setAttribute('data-ready','true');
})();
