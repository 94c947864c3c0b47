(function(){
'use strict';
var $=gb.$,el=gb.el,add=gb.add,fmt=gb.fmt,view=gb.view,chart=gb.chart,uniq=gb.uniq;
var run=JSON.parse($('run').textContent);
function metric(name){return run.metrics.indexOf(name);}
/* --- how fast: throughput and response times against users, a panel per scenario --- */
var cells=run.cells.filter(function(c){return c.figures;});
function select(key,label,values,names,on,chosen){
  var s=el('select');values.forEach(function(v,i){add(s,el('option',{value:v},names?names[i]:v));});
  s.value=view.get(key)||chosen||values[0];if(!s.value)s.value=values[0];
  s.addEventListener('change',function(){view.set(key,s.value);on();});
  if(values.length>1)add($('chart-controls'),el('label',{},[label+' ',s]));
  return s;
}
function messageName(m){return run.messageNames[m]||m;}
function hollow(c){return c.level==='valid'?null:c.level;}
function bars(title,rows){
  var top=Math.max.apply(null,rows.map(function(r){return r.value||0;}).concat(1e-9));
  return el('figure',{},[el('figcaption',{},title),el('ul',{'class':'bars'},rows.map(function(r){
    var bar=el('i',{'class':'bar'+(r.level==='valid'?'':' weak')+(r.kind?' '+r.kind:'')});bar.style.width=100*(r.value||0)/(r.full||top)+'%';
    var track=el('span',{'class':'track','aria-hidden':'true'},bar);
    (r.ticks||[]).forEach(function(t){var k=el('i',{'class':'tick'});k.style.left=100*t/top+'%';add(track,k);});
    return el('li',{},[r.link?el('a',{href:'#cell='+encodeURIComponent(r.link)},r.name):el('span',{},r.name),track,el('span',{'class':'num'},r.text)]);
  }))]);
}
function overview(){
  if(!cells.length)return;
  $('charts').hidden=false;
  var heaps=uniq(cells.map(function(c){return c.heap;})),delays=uniq(cells.map(function(c){return c.delay;})),messages=uniq(cells.map(function(c){return c.message;}));
  var sh=select('heap','Heap',heaps,null,draw),sd=select('delay','Back-end delay',delays,delays.map(function(d){return d+' ms';}),draw);
  var sm=select('message',run.messageColumn,['*'].concat(messages),['all'].concat(messages.map(messageName)),draw,'*');
  var others=run.metrics.map(function(m,i){return i;}).filter(function(i){return i!==metric(run.names.throughput);});
  var sy=select('figure','Second chart',others.map(String),others.map(function(i){return run.metrics[i];}),draw,String(metric(run.names.p99)));
  if(cells.some(hollow))$('marks-hint').textContent='Hollow marks and hatched bars: rows whose verdict is doubtful or invalid. A mark opens its test case.';
  var T=metric(run.names.throughput),P90=metric(run.names.p90),P99=metric(run.names.p99);
  function draw(){
    var box=$('multiples'),seen=cells.filter(function(c){return c.heap===sh.value&&c.delay===sd.value&&(sm.value==='*'||c.message===sm.value);}),scenarios=uniq(seen.map(function(c){return c.scenario;}));
    var users=uniq(seen.map(function(c){return c.users;})).sort(function(a,b){return a-b;}),M=Number(sy.value);
    limits(seen);
    box.replaceChildren();
    if(!seen.length){add(box,el('p',{},'No test case with this choice has figures.'));return;}
    function name(c){return c.scenario+(seen.some(function(o){return o.scenario===c.scenario&&o.message!==c.message;})?', '+messageName(c.message):'');}
    if(users.length===1){
      add(box,bars(run.names.throughput+', '+users[0]+' users',seen.map(function(c){return {name:name(c),value:c.figures[T],text:fmt(c.figures[T]),link:c.id,level:c.level};})));
      add(box,bars(M===P99?'Response time (ms), '+users[0]+' users: median, 90th and 99th percentile':run.metrics[M]+', '+users[0]+' users',seen.map(function(c){var v=c.figures[M];return {name:name(c),value:v,text:M===P99?fmt(c.p50)+' / '+fmt(c.figures[P90])+' / '+fmt(v):fmt(v),ticks:M===P99?[c.p50,c.figures[P90]]:[],link:c.id,level:c.level};})));
      return;
    }
    function top(i){return Math.max.apply(null,seen.map(function(c){return c.figures[i]||0;}));}
    function low(i){return Math.min.apply(null,scenarios.map(function(s){return Math.max.apply(null,seen.filter(function(c){return c.scenario===s;}).map(function(c){return c.figures[i]||0;}));}));}
    function shared(i){return top(i)<=4*low(i)?top(i)*1.06:undefined;}
    var grid=el('div',{'class':'multiples'});
    scenarios.forEach(function(s,k){
      var own=seen.filter(function(c){return c.scenario===s;}),levels=uniq(own.map(function(c){return c.message;}));
      function series(label,value,color,more){return levels.map(function(m,i){
        var at=users.map(function(u){return own.filter(function(c){return c.users===u&&c.message===m;})[0];});
        return Object.assign({name:label(m),values:at.map(function(c){var v=c?value(c):null;return v===undefined?null:v;}),hollow:at.map(function(c){return c?hollow(c):null;}),links:at.map(function(c){return c?'cell='+encodeURIComponent(c.id):null;}),color:color||'--s'+(i%8)},more);
      });}
      function panel(id,title,y,hi,list,band){return chart({id:id+k,title:scenarios.length>1?s+': '+title:title,xs:users.map(function(u,i){return i;}),x:{label:'Concurrent users',labels:users},y:{label:y,hi:hi},marks:true,height:210,series:list,band:band});}
      add(grid,panel('t','throughput','Requests/s',shared(T),series(levels.length>1?messageName:function(){return 'Requests/s';},function(c){return c.figures[T];})));
      /* one message alone has room for the band from the median to the 99th percentile */
      if(M===P99&&levels.length===1)add(grid,panel('r','response time','ms',shared(P99),[].concat(series(function(){return 'p99';},function(c){return c.figures[P99];},'--s1'),series(function(){return 'p90';},function(c){return c.figures[P90];},'--s4',{plain:true}),series(function(){return 'p50';},function(c){return c.p50;},'--s0',{plain:true})),[0,2]));
      else add(grid,panel('r',M===P99?'99th percentile':run.metrics[M],M===P99?'ms':'',M===metric(run.names.gc)?100:shared(M),series(levels.length>1?messageName:function(){return run.metrics[M];},function(c){return c.figures[M];})));
    });
    add(box,grid);
  }
  draw();
}
/* --- what limits it: the most loaded case of each scenario --- */
function limits(seen){
  var box=$('limits-body'),best={};
  seen.forEach(function(c){if(c.limit&&(!best[c.scenario]||c.figures[metric(run.names.throughput)]>best[c.scenario].figures[metric(run.names.throughput)]))best[c.scenario]=c;});
  var chosen=Object.keys(best).map(function(s){return best[s];});
  $('limits').hidden=!chosen.length;
  box.replaceChildren.apply(box,chosen.map(function(c){return el('div',{'class':'limit'},[
    el('p',{},[el('a',{href:'#cell='+encodeURIComponent(c.id)},c.scenario),' at '+fmt(c.figures[metric(run.names.throughput)])+' requests/s, '+c.users+' users: ',el('strong',{},c.limit.words)]),
    el('ul',{'class':'bars'},c.limit.bars.map(function(b){var bar=el('i',{'class':'bar'});bar.style.width=Math.min(100,b[1])+'%';return el('li',{},[el('span',{},b[0]),el('span',{'class':'track','aria-hidden':'true'},bar),el('span',{'class':'num'},fmt(b[1])+' '+b[2])]);}))
  ]);}));
}
/* --- one test case --- */
function plain(head,rows){var t=el('table',{'class':'plain'});add(t,el('thead',{},el('tr',{},head.map(function(h){return el('th',{scope:'col'},h);}))));add(t,el('tbody',{},rows.map(function(r){return el('tr',{},r.map(function(c,i){return el(i?'td':'th',i?(/^-?[\d.,]+( %)?$/.test(c)?{'class':'num'}:{}):{scope:'row'},c);}));})));return t;}
function region(name,kid){return el('div',{'class':'scroll',tabindex:0,role:'region','aria-label':name},kid);}
function unpack(id){
  var bytes=Uint8Array.from(atob($(id).textContent.trim()),function(c){return c.charCodeAt(0);});
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).json();
}
var TIME={label:'Seconds since the start of the load',unit:' s'};
function timeCharts(d){
  var out=[],l=d.load,w=d.window,times=[].concat.apply(l?l.t:[],(d.hosts||[]).map(function(h){return h.t;})),span=times.length?[Math.min.apply(null,times),Math.max.apply(null,times)]:null;
  function over(id,title,y,xs,series,more){out.push(chart(Object.assign({id:id,title:title,xs:xs,x:TIME,y:y,series:series,window:w,group:'case',span:span},more)));}
  (d.hosts||[]).forEach(function(h,i){
    var tail=d.hosts.length>1?', '+h.host:'';
    var colors={gateway:'--s0','back end':'--s2','load generator':'--s4'};
    over('cpu'+i,'Processor by process'+tail,{label:'% of all processors',hi:100,fixed:true},h.t,h.cpu.map(function(p){return {name:p[0],values:p[1],color:colors[p[0]]};}).concat([{name:'rest',values:h.rest,color:'--rest'},{name:'steal',values:h.steal,color:'--s1'}]),{stacked:true});
  });
  if(l&&l.t.length){
    var every=l.every>1?'Each point covers '+l.every+' s: means of requests, errors, mean and p50, the largest p90, p99 and maximum.':'';
    over('rate','Throughput and users',{label:'Requests/s'},l.t,[{name:'requests/s',values:l.rate},{name:'users',values:l.users,right:true,stepped:true,color:'--s3',dash:[4,3]}],{right:{label:'Users'},note:every});
    over('times','Response time by percentile',{label:'ms',log:true},l.t,[{name:'max',values:l.max,color:'--faint',width:1},{name:'p99',values:l.p99,color:'--s1'}].concat(l.p90?[{name:'p90',values:l.p90,color:'--s4'}]:[],[{name:'p50',values:l.p50,color:'--s0'},{name:'mean',values:l.mean,color:'--s2',dash:[4,3]}]));
    var first=d.firstFailure?'First failed response '+fmt(d.firstFailure[0])+' s after the start: '+d.firstFailure[1]:'';
    if(l.errors.some(function(e){return e;}))over('errors','Errors over time'+(l.kinds&&l.kinds.length===1?': '+l.kinds[0][0]:''),{label:'Errors/s'},l.t,l.kinds&&l.kinds.length?l.kinds.map(function(k){return {name:k[0],values:k[1]};}):[{name:'errors/s',values:l.errors,color:'--s1',fill:0.3}],{note:first});
  }
  if(d.heat&&d.heat.t){var steps=d.heat.steps,factor=steps.length>1?steps[1]/steps[0]:1.25;
    over('heat','Heat map of response times',{label:'ms',log:true,fixed:true},d.heat.t,[{name:'p99',values:d.heat.t.map(function(t){var k=l.t.indexOf(t);return k<0?null:l.p99[k];}),color:'--s1'},{name:'p50',values:d.heat.t.map(function(t){var k=l.t.indexOf(t);return k<0?null:l.p50[k];}),color:'--ink'}],{heat:{rows:d.heat.rows,steps:[steps[0]/factor].concat(steps)},note:'The stronger the colour, the more samples took so long; its strength is logarithmic.'});}
  (d.gc||[]).forEach(function(g,i){
    var xs=[],used=[],size=[],pause=[];
    g.events.forEach(function(e){xs.push(e[0],e[0]+0.001);used.push(e[2],e[3]);size.push(e[5],e[5]);pause.push(e[1],null);});
    over('gc'+i,'GC of the '+g.name+': heap and pauses',{label:'MiB'},xs,[{name:'heap used (MiB)',values:used,fill:0.18},{name:'heap size (MiB)',values:size,color:'--s7',stepped:true,dash:[4,3]},{name:'pause (ms)',values:pause,right:true,bars:4,color:'--s1',fill:0.9,width:1}],{right:{label:'Pause (ms)'},note:g.all>g.events.length?'The longest pause of each of '+g.events.length+' stretches, of '+fmt(g.all)+' in all.':''});
  });
  (d.hosts||[]).forEach(function(h,i){
    var tail=d.hosts.length>1?', '+h.host:'';
    over('memory'+i,'Memory'+tail,{label:'MiB'},h.t,h.memory.map(function(p){return {name:p[0]+', resident',values:p[1]};}).concat([{name:'host, used',values:h.used,color:'--faint',dash:[4,3]}]));
    over('net'+i,'Network'+tail,{label:'kB/s'},h.t,[{name:'received',values:h.received},{name:'sent',values:h.sent,dash:[4,3]}]);
    over('queue'+i,'Run queue'+tail,{label:'Tasks ready to run'},h.t,[{name:'run queue',values:h.queue}]);
  });
  return out;
}
function distributionCharts(d){
  var out=[];
  if(d.histograms&&d.histograms.length){
    var at=uniq([].concat.apply([],d.histograms.map(function(h){return h[1].map(function(b){return b[0];});}))).sort(function(a,b){return a-b;});
    out.push(chart({id:'hist',title:'Histogram of response times',xs:at,x:{label:'Response time (ms)',log:true,unit:' ms'},y:{label:'Samples'},series:d.histograms.map(function(h,i){var by={};h[1].forEach(function(b){by[b[0]]=b[1];});return {name:h[0],values:at.map(function(a){return by[a]===undefined?0:by[a];}),stepped:true,fill:0.35,color:i?'--s1':'--s0'};})}));
  }
  if(d.percentiles&&d.percentiles.length){
    var marks=[0,50,90,99,99.9,99.99,99.999,99.9999];
    var far=function(p){return -Math.log10(1-Math.min(p,99.99999)/100);},back=function(x){return Math.round(100*(1-Math.pow(10,-x))*1e5)/1e5;};
    var xs=uniq([].concat.apply([],d.percentiles.map(function(s){return s[1].map(function(p){return p[0];});}))).sort(function(a,b){return a-b;}),last=far(xs[xs.length-1]);
    out.push(chart({id:'pct',title:'Response time by percentile of the samples',xs:xs.map(far),x:{label:'Percentile (as far as the samples reach)',unit:' %',format:back,splits:marks.map(far).filter(function(x){return x<=last+1e-9;})},y:{label:'ms'},series:d.percentiles.map(function(s,i){var by={};s[1].forEach(function(p){by[p[0]]=p[1];});return {name:s[0],values:xs.map(function(x){return by[x]===undefined?null:by[x];}),color:i?'--s1':'--s0'};})}));
  }
  return out;
}
function copying(text,label,word){var b=gb.button(word||'Copy',label,function(){
  function said(){b.textContent='Copied';setTimeout(function(){b.textContent=word||'Copy';},1500);}
  var area=el('textarea',{'class':'aside'});area.value=text();add(document.body,area);area.select();
  if(navigator.clipboard)navigator.clipboard.writeText(area.value).then(said,function(){document.execCommand('copy');said();});else{document.execCommand('copy');said();}
  area.remove();b.focus();
});return b;}
function detail(c,d){
  var body=$('detail-body'),out=[];
  function block(title,node){out.push(el('h3',{},title));out.push(node);}
  out.push(el('p',{},[el('span',{'class':'badge '+c.level},c.level),' ',c.reasons.length?'':'No rule speaks against these figures.']));
  if(c.reasons.length)out.push(el('ul',{},c.reasons.map(function(r){return el('li',{},r);})));
  if(d.failure)out.push(el('p',{},d.failure));
  if(d.figures&&d.figures.length)out.push(el('dl',{'class':'tiles'},d.figures.map(function(f){return el('div',{},[el('dt',{},f[0]),el('dd',{},f[1])]);})));
  if(c.limit)out.push(el('p',{},['What limits it: ',el('strong',{},c.limit.words),'.']));
  if(d.warmUp)out.push(el('p',{},['Warm-up: ',el('strong',{},d.warmUp),'.']));
  gb.leave('case');
  var range=(view.get('zoom')||'').split('_').map(Number);
  if(range.length===2&&range[1]>range[0])gb.group('case').range=range;
  var over=timeCharts(d),whole=gb.button('Show all','Show the whole time in all charts of this case',function(){gb.zoom('case',null);view.set('zoom','');});
  whole.hidden=!gb.group('case').range;
  gb.group('case').changed=function(r){whole.hidden=!r;};
  if(over.length){out.push(el('div',{'class':'controls'},[el('h3',{},'Over time'),el('span',{'class':'hint'},'Drag to zoom, all charts follow; a name switches its line.'),whole]));out.push(el('div',{'class':'pair'},over));}
  var shapes=distributionCharts(d);
  if(shapes.length){out.push(el('h3',{},'Distribution in the window'));out.push(el('div',{'class':'pair'},shapes));}
  if(d.steps&&d.steps.length)block('Steps',region('Steps',plain(d.stepsHead,d.steps)));
  if(d.routes)out.push(el('p',{},['Routes: ',el('strong',{},d.routes),'.']));
  if(d.times&&d.times.length)block('Response times (ms)',region('Response times',plain(d.timesHead,d.times)));
  if(d.failures&&d.failures.length)block('Failed samples by reason',region('Failed samples',plain(['Reason','Number'],d.failures)));
  if(d.answers&&d.answers.length)block('First failed responses',el('div',{},d.answers.map(function(a){return el('pre',{},a);})));
  if(d.probes&&d.probes.length)block('Probes',region('Probes',plain(['Probe','Status','Outcome','Detail'],d.probes)));
  if(d.gcFigures&&d.gcFigures.length)block('Garbage collection',region('Garbage collection',plain(['Figure'].concat(d.gcNames),d.gcFigures)));
  if(d.findings&&d.findings.length)out.push(el('ul',{},d.findings.map(function(f){return el('li',{},f);})));
  if(d.host&&d.host.length)out.push(el('details',{},[el('summary',{},'Host metrics in the measurement window ('+d.host.length+')'),region('Host metrics',plain(['Metric'].concat(d.hostNames),d.host))]));
  if(d.health&&d.health.length)block('Load generator',region('Load generator',plain(['Figure','Value'],d.health)));
  if(d.commands&&d.commands.length)block('Commands',el('div',{},d.commands.map(function(k){return el('div',{},[el('div',{'class':'bar'},[el('p',{},k[0]),copying(function(){return k[1];},'Copy the command of '+k[0])]),el('pre',{},k[1])]);})));
  if(d.facts&&d.facts.length)block('Further facts',region('Further facts',plain(['Fact','Value'],d.facts)));
  body.replaceChildren.apply(body,out);
}
var opened=null;
function route(){
  var id=view.get('cell'),index=id===null?-1:run.cells.findIndex(function(c){return c.id===id;}),section=$('detail');
  gb.all('tr.current').forEach(function(r){r.classList.remove('current');});
  section.hidden=index<0;
  if(index<0){opened=null;return;}
  var row=document.querySelector('tr[data-cell="'+index+'"]');if(row)row.classList.add('current');
  if(opened===id)return;
  opened=id;
  $('h-detail').textContent=id;
  unpack('data-'+index).then(function(d){
    if(opened!==id)return;
    detail(run.cells[index],d);
    section.scrollIntoView();section.focus({preventScroll:true});
    document.documentElement.setAttribute('data-case',id);
  },function(){$('detail-body').replaceChildren(el('p',{},'The figures of this case cannot be unpacked: the browser is older than 2023.'));});
}
add($('detail-tools'),copying(function(){return location.href;},'Copy a link to exactly this view','Copy link'));
/* a link to a case keeps what else the reader chose */
document.addEventListener('click',function(e){
  var a=e.target.closest?e.target.closest('a'):null,to=a&&a.getAttribute('href')||'';
  if(e.ctrlKey||e.metaKey||e.shiftKey||e.button)return;
  if(to.indexOf('#cell=')===0){e.preventDefault();view.go(to.slice(1));}
  else if(a&&a.id==='close'){e.preventDefault();view.set('cell','');view.set('zoom','');route();$('results').scrollIntoView();$('results').querySelector('[tabindex]').focus({preventScroll:true});}
});
overview();route();
addEventListener('hashchange',route);
/* --- while it runs: what is measured now, and a new page when there is a further result --- */
function readable(s){return s>=3600?Math.floor(s/3600)+' h '+Math.floor(s%3600/60)+' min':s>=60?Math.floor(s/60)+' min '+s%60+' s':s+' s';}
if($('live'))(function(){
  var version=null,figures=null,words=$('live-words');
  function say(text){if(words.textContent!==text)words.textContent=text;}
  function ask(){
    fetch('state',{cache:'no-store'}).then(function(a){return a.json();}).then(function(s){
      if(version!==null&&s.version!==version){location.reload();return;}
      version=s.version;
      if(!s.live)say('No run is going on in this results directory.');else now(s.live);
      setTimeout(ask,1000);
    },function(){say('The program that served this page has ended. The report lies in the results directory.');setTimeout(ask,5000);});
  }
  function now(l){
    var ended=l.cells.filter(function(c){return c.state!=='waiting'&&c.state!=='now';}).length,cell=l.cells[l.now];
    $('live-bar').value=ended/l.cells.length;
    say((cell?'Test case '+(l.now+1)+' of '+l.cells.length+', '+cell.id+': '+l.step+(l.seconds.length?l.measuring?', measuring':', warm-up':''):ended+' of '+l.cells.length+' test cases have ended')+'. '+readable(l.leftSeconds)+' left in all.');
    $('live-cells').replaceChildren.apply($('live-cells'),l.cells.map(function(c){var li=el('li',{'class':c.state},c.state==='done'||c.state==='failed'?el('a',{href:'#cell='+encodeURIComponent(c.id)},c.id):c.id);add(li,el('span',{'class':'aside'},', '+c.state));return li;}));
    if(!l.seconds.length){if(figures){figures=null;$('live-charts').replaceChildren();}return;}
    var at=function(i){return l.seconds.map(function(s){return s[i];});};
    if(figures){figures[0].put(at(0),[at(1),at(4)]);figures[1].put(at(0),[at(3)]);}
    else{
      figures=[chart({id:'now-rate',title:'Requests per second, now',xs:at(0),x:TIME,y:{label:'Requests/s'},right:{label:'Users'},series:[{name:'requests/s',values:at(1)},{name:'users',values:at(4),right:true,stepped:true,color:'--s3',dash:[4,3]}]}),
        chart({id:'now-p99',title:'99th percentile, now',xs:at(0),x:TIME,y:{label:'ms'},series:[{name:'p99',values:at(3),color:'--s1'}]})];
      $('live-charts').replaceChildren(figures[0],figures[1]);
    }
  }
  ask();
})();
})();
