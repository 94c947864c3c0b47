/* What every page has: theme, tips, tables and charts. A page's own script finds it in gb. */
var gb=(function(){
'use strict';
var root=document.documentElement;
function $(id){return document.getElementById(id);}
function set(e,attrs){Object.keys(attrs||{}).forEach(function(k){e.setAttribute(k,attrs[k]);});return e;}
function add(e,kids){(Array.isArray(kids)?kids:kids===undefined||kids===null?[]:[kids]).forEach(function(k){e.appendChild(typeof k==='object'?k:document.createTextNode(String(k)));});return e;}
function el(name,attrs,kids){return add(set(document.createElement(name),attrs),kids);}
function all(selector,inside){return Array.prototype.slice.call((inside||document).querySelectorAll(selector));}
function uniq(values){return values.filter(function(v,i){return values.indexOf(v)===i;});}
function fmt(v){
  if(v===null||v===undefined)return 'N/A';
  var a=Math.abs(v),s=a>=1000?v.toFixed(0):a>=10?v.toFixed(1):a>=1?v.toFixed(2):v===0?'0':v.toPrecision(3);
  if(s.indexOf('.')>=0&&s.indexOf('e')<0)s=s.replace(/\.?0+$/,'');
  return a>=1000?s.replace(/\B(?=(\d{3})+$)/g,','):s;
}
function css(name){return getComputedStyle(root).getPropertyValue(name).trim();}
function button(text,label,on){var b=el('button',{type:'button'},text);if(label)b.setAttribute('aria-label',label);b.addEventListener('click',on);return b;}

/* --- what the reader sees lies in the address, so that a link shows exactly this --- */
var view={
  read:function(){return new URLSearchParams(location.hash.indexOf('=')<0?'':location.hash.slice(1));},
  get:function(key){return view.read().get(key);},
  set:function(key,value){
    var p=view.read();
    if(p.get(key)===(value||null))return;
    if(value)p.set(key,value);else p.delete(key);
    history.replaceState(null,'',view.link(p));
  },
  link:function(p){var s=p.toString();return s?'#'+s:location.pathname+location.search;},
  /* opens a place that names some keys, and keeps the others; another case begins unzoomed */
  go:function(link){var p=view.read();new URLSearchParams(link).forEach(function(v,k){p.set(k,v);});p.delete('zoom');location.hash=p.toString();},
  list:function(key){return (view.get(key)||'').split('~').filter(Boolean);},
  toggle:function(key,item,on){var l=view.list(key).filter(function(i){return i!==item;});if(on)l.push(item);view.set(key,l.join('~'));}
};

/* --- the theme is the system's until the reader chooses --- */
var redraws=[];
function redraw(){redraws=redraws.filter(function(r){return r();});}
(function(){
  var b=$('theme'),system=matchMedia('(prefers-color-scheme: dark)');
  function dark(){var t=root.getAttribute('data-theme');return t?t==='dark':system.matches;}
  function name(){b.textContent=dark()?'Light':'Dark';b.setAttribute('aria-label','Switch to '+(dark()?'light':'dark')+' colours');}
  b.hidden=false;name();
  b.addEventListener('click',function(){root.setAttribute('data-theme',dark()?'light':'dark');name();redraw();});
  system.addEventListener('change',function(){name();redraw();});
  /* paper is light, and nothing is folded on it */
  var before=null;
  addEventListener('beforeprint',function(){before=root.getAttribute('data-theme');root.setAttribute('data-theme','light');all('details:not(.menu)').forEach(function(d){d.open=true;});redraw();});
  addEventListener('afterprint',function(){if(before)root.setAttribute('data-theme',before);else root.removeAttribute('data-theme');redraw();});
})();

/* --- one tip for all drawings; what it tells stays their name for screen readers --- */
var tip=el('div',{id:'tip',role:'tooltip',hidden:''}),said=el('div',{'class':'aside',role:'status','aria-live':'polite'});
add(document.body,[tip,said]);
function show(text,x,y){tip.textContent=text;tip.hidden=false;tip.style.left=Math.max(4,Math.min(innerWidth-tip.offsetWidth-4,x+14))+'px';tip.style.top=Math.max(4,y-tip.offsetHeight-12)+'px';}
function hide(){tip.hidden=true;}
document.addEventListener('keydown',function(e){if(e.key==='Escape')hide();});
all('figure svg title').forEach(function(t){
  var mark=t.parentNode,text=t.textContent;mark.removeChild(t);set(mark,{role:'img','aria-label':text});
  mark.addEventListener('pointermove',function(e){show(text,e.clientX,e.clientY);});mark.addEventListener('pointerleave',hide);
});

/* --- files --- */
function csv(rows){return rows.map(function(r){return r.map(function(c){c=c===null||c===undefined?'':String(c);return /[",\n]/.test(c)?'"'+c.replace(/"/g,'""')+'"':c;}).join(',');}).join('\r\n')+'\r\n';}
function save(name,text){var url=URL.createObjectURL(new Blob([text],{type:'text/csv'})),a=el('a',{href:url,download:name.toLowerCase().replace(/[^a-z0-9]+/g,'-').replace(/^-|-$/g,'')+'.csv'});a.click();setTimeout(function(){URL.revokeObjectURL(url);},1000);}

/* --- tables: a heading sorts, the controls filter and choose columns; the address keeps it --- */
function table(t){
  var body=t.tBodies[0],rows=all('tr',body),heads=all('th',t.tHead),names=heads.map(function(h){return h.textContent.trim();});
  var box=document.querySelector('[data-filters="'+t.id+'"]'),off=[];
  function key(k){return t.id+'.'+k;}
  function value(row,i){var s=row.cells[i].textContent.trim(),n=Number(s.replace(/,/g,''));return s!==''&&!isNaN(n)?n:s;}
  function sort(i,up){
    heads.forEach(function(h){h.removeAttribute('aria-sort');});heads[i].setAttribute('aria-sort',up?'ascending':'descending');
    rows.map(function(r,k){return [value(r,i),k,r];}).sort(function(a,b){var o;if(typeof a[0]===typeof b[0])o=a[0]<b[0]?-1:a[0]>b[0]?1:0;else return typeof a[0]==='number'?-1:1;return (up?o:-o)||a[1]-b[1];}).forEach(function(e){body.appendChild(e[2]);});
  }
  heads.forEach(function(h,i){h.replaceChildren(button(names[i],'',function(){var up=h.getAttribute('aria-sort')!=='ascending';sort(i,up);view.set(key('sort'),(up?'':'-')+i);}));});
  var sorted=view.get(key('sort'));
  if(sorted!==null&&heads[Math.abs(Number(sorted))])sort(Math.abs(Number(sorted)),sorted.charAt(0)!=='-');
  if(!box)return;
  box.hidden=false;
  var text=box.querySelector('input'),selects=all('select',box),shown=box.querySelector('[role=status]');
  text.value=view.get(key('q'))||'';selects.forEach(function(s){var v=view.get(key(s.name));if(v!==null)s.value=v;});
  function filter(){
    var words=text.value.toLowerCase().split(/\s+/).filter(Boolean),n=0;
    rows.forEach(function(r){var c=r.textContent.toLowerCase();r.hidden=!words.every(function(w){return c.indexOf(w)>=0;})||!selects.every(function(s){return !s.value||r.getAttribute('data-'+s.name)===s.value;});if(!r.hidden)n++;});
    shown.textContent=n+' of '+rows.length+' '+(t.getAttribute('data-unit')||'rows');
  }
  text.addEventListener('input',function(){filter();view.set(key('q'),text.value);});
  selects.forEach(function(s){s.addEventListener('change',function(){filter();view.set(key(s.name),s.value);});});
  filter();
  function columns(){all('tr',t).forEach(function(r){Array.prototype.forEach.call(r.cells,function(c,i){c.hidden=off.indexOf(i)>=0;});});}
  off=(view.get(key('off'))||'').split('~').filter(Boolean).map(Number);
  var menu=el('details',{'class':'menu'},el('summary',{},'Columns'));
  add(menu,el('div',{role:'group','aria-label':'Columns of the table'},names.map(function(n,i){
    var c=el('input',{type:'checkbox'});c.checked=off.indexOf(i)<0;
    c.addEventListener('change',function(){off=off.filter(function(o){return o!==i;});if(!c.checked)off.push(i);columns();view.set(key('off'),off.join('~'));});
    return el('label',{},[c,' '+n]);
  })));
  menu.addEventListener('keydown',function(e){if(e.key==='Escape'){menu.open=false;menu.firstChild.focus();}});
  if(off.length)columns();
  box.insertBefore(menu,shown);
  box.insertBefore(button('CSV','Save what the table shows as CSV',function(){
    function kept(r){return Array.prototype.filter.call(r.cells,function(c,i){return off.indexOf(i)<0;}).map(function(c){return c.textContent.trim();});}
    save(document.title+' '+t.id,csv([kept(t.tHead.rows[0])].concat(all('tr',body).filter(function(r){return !r.hidden;}).map(kept))));
  }),shown);
}

/* --- charts: uPlot draws, this gives it our colours, a legend of buttons, keys, and one zoom for a group ---
 * chart({id,title,xs,x:{label,unit,labels,log,format},y:{label,log,lo,hi,fixed},right:{label},
 *        series:[{name,values,color,width,dash,fill,bars,hollow,links,right,plain}],
 *        stacked,marks,band:[upper,lower],window:[from,to],heat:{steps,rows},group,height,note})
 * xs ascend; values are numbers or null, one for each x. */
var groups={},COLORS=8,DASH=[[],[7,3],[2,2.5],[9,3,2,3]];
function group(name){return groups[name]=groups[name]||{plots:[],range:null};}
function zoom(name,range,from){
  var g=group(name);g.range=range;
  g.plots.forEach(function(p){if(p!==from)p.zoomTo(range);});
  if(g.changed)g.changed(range);
}
function alpha(color,part){return color+Math.round(part*255).toString(16).padStart(2,'0');}
function chart(o){
  var figure=el('figure',{'class':'chart','data-chart':o.id||''}),tools=el('span',{'class':'tools'}),plot=el('div',{'class':'plot'}),legend=el('ul',{'class':'legend'});
  add(figure,[el('figcaption',{},[el('span',{},o.title),tools]),plot]);
  if(!o.xs.length||!o.series.some(function(s){return s.values.some(function(v){return v!==null;});})){add(plot,el('p',{'class':'hint'},'No figures to draw.'));return figure;}
  var n=o.series.length,hidden=o.series.map(function(s,i){return view.list('off').indexOf(o.id+'.'+i)>=0;}),whole=o.span||[o.xs[0],o.xs[o.xs.length-1]],log=!!o.y.log!==(view.list('log').indexOf(o.id)>=0),u=null,outputs=[],g=o.group?group(o.group):null;
  /* what lies on top of a stack is drawn first, so that what is below covers it */
  var order=o.series.map(function(s,i){return o.stacked?n-1-i:i;});
  function color(i){return css(o.series[i].color||'--s'+(i%COLORS));}
  function data(){
    var sums=o.xs.map(function(){return 0;}),stacked=o.series.map(function(s,i){
      if(!o.stacked)return log&&!s.right?s.values.map(function(v){return v>0?v:null;}):s.values;
      return s.values.map(function(v,k){if(!hidden[i]&&v!==null)sums[k]+=v;return v===null?null:sums[k];});
    });
    return [o.xs].concat(order.map(function(i){return stacked[i];}));
  }
  function xText(v,short){if(o.x.labels)return o.x.labels[Math.round(v)]===undefined||Math.abs(v-Math.round(v))>1e-6?'':o.x.labels[Math.round(v)];var t=o.x.format?o.x.format(v):fmt(v);return short?t:t+(o.x.unit||'');}
  function at(k){return xText(o.xs[k])+': '+o.series.filter(function(s,i){return !hidden[i]&&s.values[k]!==null;}).map(function(s){return s.name+' '+fmt(s.values[k])+(s.hollow&&s.hollow[k]?' ('+s.hollow[k]+')':'');}).join(', ');}
  function values(k){outputs.forEach(function(out,i){out.textContent=k===null||k===undefined?'':fmt(o.series[i].values[k]);});}
  /* a logarithmic axis begins at 1, 2 or 5 times a power of ten */
  function below(v){var p=Math.pow(10,Math.floor(Math.log10(v)));return (v>=5*p?5:v>=2*p?2:1)*p;}
  function yRange(right){return function(plotted,lo,hi){
    if(o.heat)return [below(o.heat.steps[0]),o.heat.steps[o.heat.steps.length-1]];
    if(lo===null)return [0,1];
    if(log&&!right)return [below(lo),hi*1.1];
    if(right)return [0,(hi||1)*2.2];
    return [o.y.lo!==undefined?o.y.lo:Math.min(0,lo),o.y.hi!==undefined?Math.max(o.y.hi,hi):(hi||1)*1.06];
  };}
  function axis(more){return Object.assign({stroke:function(){return css('--faint');},grid:{stroke:function(){return css('--line');},width:1},ticks:{stroke:function(){return css('--line');},width:1,size:4},font:'12px system-ui,"DejaVu Sans",sans-serif',labelFont:'12px system-ui,"DejaVu Sans",sans-serif',labelSize:18,labelGap:2},more);}
  function shape(c,i,x,y,r){c.beginPath();if(i%4===0)c.arc(x,y,r,0,7);else if(i%4===1)c.rect(x-r*.9,y-r*.9,r*1.8,r*1.8);else if(i%4===2){c.moveTo(x,y-r*1.25);c.lineTo(x+r*1.1,y+r*.8);c.lineTo(x-r*1.1,y+r*.8);c.closePath();}else{c.moveTo(x,y-r*1.3);c.lineTo(x+r*1.3,y);c.lineTo(x,y+r*1.3);c.lineTo(x-r*1.3,y);c.closePath();}}
  function marks(u){
    var c=u.ctx,r=4*devicePixelRatio;c.setLineDash([]);
    o.series.forEach(function(s,i){if(hidden[i]||s.plain)return;o.xs.forEach(function(x,k){
      var v=s.values[k];if(v===null||log&&v<=0)return;
      shape(c,i,u.valToPos(x,'x',true),u.valToPos(v,s.right?'r':'y',true),r);
      c.fillStyle=s.hollow&&s.hollow[k]?css('--bg'):color(i);c.strokeStyle=color(i);c.lineWidth=2*devicePixelRatio;c.fill();c.stroke();
    });});
  }
  function background(u){
    var c=u.ctx,b=u.bbox;c.save();c.beginPath();c.rect(b.left,b.top,b.width,b.height);c.clip();
    if(o.window){var from=u.valToPos(o.window[0],'x',true),to=u.valToPos(o.window[1],'x',true);c.fillStyle=css('--win');c.fillRect(from,b.top,to-from,b.height);}
    if(o.heat){
      var most=Math.log(1+Math.max.apply(null,o.heat.rows.map(function(r){return Math.max.apply(null,r);}))),ink=css('--heat');
      o.heat.rows.forEach(function(r,k){
        var left=u.valToPos(o.xs[k],'x',true),right=u.valToPos(k+1<o.xs.length?o.xs[k+1]:2*o.xs[k]-o.xs[Math.max(0,k-1)],'x',true);
        r.forEach(function(count,s){if(!count)return;var top=u.valToPos(o.heat.steps[s+1],'y',true),low=u.valToPos(o.heat.steps[s],'y',true);c.fillStyle=alpha(ink,0.08+0.92*Math.log(1+count)/most);c.fillRect(left,top,Math.max(1,right-left+.5),low-top+.5);});
      });
    }
    c.restore();
  }
  function options(){
    var scales={x:{time:false,distr:o.x.log?3:1},y:{distr:log?3:1,range:yRange(false)}};
    if(o.x.labels)scales.x.range=[-0.35,o.x.labels.length-0.65];
    if(o.right)scales.r={range:yRange(true)};
    var axes=[axis({label:o.x.label,size:34,space:o.x.labels?24:56,splits:o.x.labels?function(){return o.x.labels.map(function(l,i){return i;});}:o.x.splits?function(){return o.x.splits;}:undefined,values:function(u,s){return s.map(function(v){return v===null?'':xText(v,true);});}}),
      axis({label:o.y.label,size:o.wide?64:54,space:34,values:function(u,s){return s.map(function(v){return v===null||log&&!/^[125]/.test(v.toExponential(3))?'':fmt(v);});}})];
    if(o.right)axes.push(axis({scale:'r',side:1,size:44,label:o.right.label,grid:{show:false},values:function(u,s){return s.map(fmt);}}));
    var series=[{}].concat(order.map(function(i){var s=o.series[i];return {
      show:!hidden[i],scale:s.right?'r':'y',stroke:function(){return color(i);},width:s.width===undefined?(o.stacked?0.5:1.6):s.width,
      dash:s.dash||(o.marks?DASH[i%4]:undefined),spanGaps:!!o.marks,
      fill:o.stacked?function(){return color(i);}:s.fill?function(){return alpha(color(i),s.fill);}:undefined,
      paths:s.bars?uPlot.paths.bars({size:[0.8,s.bars]}):s.stepped?uPlot.paths.stepped({align:1}):undefined,
      points:{show:!!s.points,size:5,fill:function(){return color(i);}}
    };}));
    return {width:Math.max(220,plot.clientWidth||560),height:o.height||250,scales:scales,axes:axes,series:series,legend:{show:false},
      bands:o.band?[{series:[o.band[0]+1,o.band[1]+1],fill:function(){return alpha(color(o.band[0]),0.18);}}]:[],
      cursor:{y:false,drag:{x:!o.x.labels,y:false,setScale:!o.x.labels},points:{size:7},sync:g?{key:o.group,scales:['x',null],filters:{pub:function(type){return type==='mousemove'||type==='mouseleave';}}}:undefined},
      hooks:{drawClear:[background],draw:o.marks?[marks]:[],setCursor:[function(u){values(u.cursor.idx);}],
        setScale:[function(u,key){if(key!=='x'||!api.ready||!g)return;var s=u.scales.x,all=s.min<=o.xs[0]&&s.max>=o.xs[o.xs.length-1];zoom(o.group,all?null:[s.min,s.max],api);view.set('zoom',all?'':s.min.toFixed(2)+'_'+s.max.toFixed(2));}]}};
  }
  var api={ready:false,
    zoomTo:function(range){if(!u)return;api.ready=false;u.setScale('x',range?{min:range[0],max:range[1]}:{min:whole[0],max:whole[1]});setTimeout(function(){api.ready=true;});},
    gone:function(){if(u)u.destroy();u=null;}
  };
  function build(){
    if(u)u.destroy();
    api.ready=false;u=new uPlot(options(),data(),plot);
    var range=g&&g.range||o.span;
    if(range)u.setScale('x',{min:range[0],max:range[1]});
    setTimeout(function(){api.ready=true;});
    u.over.addEventListener('click',function(e){
      var best=null,near=18;o.series.forEach(function(s,i){if(hidden[i]||!s.links)return;o.xs.forEach(function(x,k){if(s.values[k]===null||!s.links[k])return;var d=Math.hypot(u.valToPos(x,'x')-e.offsetX,u.valToPos(s.values[k],'y')-e.offsetY);if(d<near){near=d;best=s.links[k];}});});
      if(best)view.go(best);
    });
  }
  /* the same by keys: arrows read the figures, + and - zoom, 0 shows all */
  var spot=-1;
  set(plot,{tabindex:'0',role:'img','aria-label':o.title+'; arrow keys read the figures'+(o.x.labels?'':', plus and minus zoom, 0 shows all')});
  plot.addEventListener('keydown',function(e){
    var step={ArrowRight:1,ArrowLeft:-1,PageDown:20,PageUp:-20}[e.key],s=u&&u.scales.x;
    if(step){spot=Math.max(0,Math.min(o.xs.length-1,spot+step));u.setCursor({left:u.valToPos(o.xs[spot],'x'),top:10});said.textContent=at(spot);}
    else if(e.key==='Enter'&&spot>=0){var link=o.series.map(function(q){return q.links&&q.links[spot];}).filter(Boolean)[0];if(link)view.go(link);}
    else if((e.key==='+'||e.key==='-')&&!o.x.labels){var mid=spot<0?(s.min+s.max)/2:o.xs[spot],half=(s.max-s.min)/(e.key==='+'?4:1);u.setScale('x',{min:Math.max(whole[0],mid-half),max:Math.min(whole[1],mid+half)});}
    else if(e.key==='0'&&!o.x.labels)u.setScale('x',{min:whole[0],max:whole[1]});
    else return;
    e.preventDefault();
  });
  if(n>1||o.window)add(figure,legend);
  o.series.forEach(function(s,i){
    var out=el('output',{}),swatch=el('i',{'aria-hidden':'true'}),b=button([],'',function(){hidden[i]=!hidden[i];b.setAttribute('aria-pressed',String(!hidden[i]));view.toggle('off',o.id+'.'+i,hidden[i]);build();});
    swatch.style.background='var('+(s.color||'--s'+(i%COLORS))+')';
    add(b,[swatch,s.name+' ',out]);b.setAttribute('aria-pressed',String(!hidden[i]));outputs.push(out);
    if(n>1)add(legend,el('li',{},b));
  });
  if(o.window)add(legend,el('li',{'class':'window'},[el('i',{'aria-hidden':'true'}),'measurement window']));
  if(o.note)add(figure,el('p',{'class':'hint'},o.note));
  if(!o.heat&&!o.stacked&&!o.y.fixed){var lb=button('log','Logarithmic axis: '+o.title,function(){log=!log;lb.setAttribute('aria-pressed',String(log));view.toggle('log',o.id,log!==!!o.y.log);build();});lb.setAttribute('aria-pressed',String(log));add(tools,lb);}
  add(tools,button('CSV','Save as CSV what this chart shows: '+o.title,function(){
    var s=u.scales.x,seen=o.series.filter(function(q,i){return !hidden[i];}),rows=[[o.x.label].concat(seen.map(function(q){return q.name;}))];
    o.xs.forEach(function(x,k){if(o.x.labels||x>=s.min&&x<=s.max)rows.push([o.x.labels?o.x.labels[k]:x].concat(seen.map(function(q){return q.values[k];})));});
    save(o.title,csv(rows));
  }));
  if(g)g.plots.push(api);
  /* further figures for a chart that is there */
  figure.put=function(xs,values){o.xs=xs;o.series.forEach(function(s,i){s.values=values[i];});if(u)u.setData(data());};
  redraws.push(function(){if(!plot.isConnected)return false;if(u)u.redraw(false);return true;});
  /* drawn when it is first seen, and again when its width changes */
  var seen=new IntersectionObserver(function(entries){if(entries.some(function(e){return e.isIntersecting;})){seen.disconnect();build();new ResizeObserver(function(){if(u&&plot.clientWidth>0&&plot.clientWidth!==u.width)u.setSize({width:plot.clientWidth,height:o.height||250});}).observe(plot);}},{rootMargin:'600px'});
  seen.observe(plot);
  return figure;
}
/* leaves a group's charts, before others are drawn in it */
function leave(name){group(name).plots.forEach(function(p){p.gone();});groups[name]={plots:[],range:null};}

all('table.data').forEach(table);
/* a chart can stand in a page as its description */
all('script[type="application/json"][data-chart]').forEach(function(s){s.parentNode.replaceChild(chart(JSON.parse(s.textContent)),s);});
function route(){all('tr.current').forEach(function(r){r.classList.remove('current');});var row=null;try{row=location.hash.length>1&&location.hash.indexOf('=')<0&&$(decodeURIComponent(location.hash.slice(1)));}catch(e){row=null;}if(row&&row.tagName==='TR')row.classList.add('current');}
addEventListener('hashchange',route);route();
return {$:$,el:el,add:add,set:set,all:all,uniq:uniq,fmt:fmt,button:button,chart:chart,group:group,zoom:zoom,leave:leave,view:view,save:save,csv:csv};
})();
