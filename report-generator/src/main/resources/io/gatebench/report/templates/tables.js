(function(){
'use strict';
function all(selector,root){return Array.prototype.slice.call((root||document).querySelectorAll(selector));}
/* the theme is the system's until the reader chooses */
var theme=document.getElementById('theme'),root=document.documentElement;
function dark(){var t=root.getAttribute('data-theme');return t?t==='dark':matchMedia('(prefers-color-scheme: dark)').matches;}
function name(){theme.textContent=dark()?'Light':'Dark';theme.setAttribute('aria-label','Switch to '+(dark()?'light':'dark')+' colours');}
theme.hidden=false;theme.addEventListener('click',function(){root.setAttribute('data-theme',dark()?'light':'dark');name();});name();
/* one tip for all marks; what they tell stays their name for screen readers */
var tip=document.createElement('div');tip.id='tip';tip.setAttribute('role','tooltip');tip.hidden=true;document.body.appendChild(tip);
function show(text,x,y){tip.textContent=text;tip.hidden=false;var w=tip.offsetWidth,h=tip.offsetHeight;tip.style.left=Math.max(4,Math.min(innerWidth-w-4,x+14))+'px';tip.style.top=Math.max(4,y-h-12)+'px';}
all('figure svg title').forEach(function(t){var mark=t.parentNode,text=t.textContent;mark.removeChild(t);mark.setAttribute('role','img');mark.setAttribute('aria-label',text);mark.addEventListener('pointermove',function(e){show(text,e.clientX,e.clientY);});mark.addEventListener('pointerleave',function(){tip.hidden=true;});});
document.addEventListener('keydown',function(e){if(e.key==='Escape')tip.hidden=true;});
/* tables: a heading sorts, the controls filter */
all('table.data').forEach(function(table){
  var body=table.tBodies[0],rows=Array.prototype.slice.call(body.rows),heads=Array.prototype.slice.call(table.tHead.rows[0].cells);
  function value(row,i){var s=row.cells[i].textContent.trim(),n=Number(s.replace(/,/g,''));return s!==''&&!isNaN(n)?n:s;}
  heads.forEach(function(h,i){var b=document.createElement('button');b.type='button';b.textContent=h.textContent;h.replaceChildren(b);b.addEventListener('click',function(){
    var up=h.getAttribute('aria-sort')!=='ascending';heads.forEach(function(o){o.removeAttribute('aria-sort');});h.setAttribute('aria-sort',up?'ascending':'descending');
    rows.map(function(r,k){return [value(r,i),k,r];}).sort(function(a,b){var o;if(typeof a[0]===typeof b[0])o=a[0]<b[0]?-1:a[0]>b[0]?1:0;else return typeof a[0]==='number'?-1:1;return (up?o:-o)||a[1]-b[1];}).forEach(function(e){body.appendChild(e[2]);});});});
  var box=document.querySelector('[data-filters="'+table.id+'"]');if(!box)return;box.hidden=false;
  var text=box.querySelector('input'),selects=all('select',box),shown=box.querySelector('[role=status]');
  function filter(){var words=text.value.toLowerCase().split(/\s+/).filter(Boolean),n=0;rows.forEach(function(r){var t=r.textContent.toLowerCase();r.hidden=!words.every(function(w){return t.indexOf(w)>=0;})||!selects.every(function(s){return !s.value||r.getAttribute('data-'+s.name)===s.value;});if(!r.hidden)n++;});shown.textContent=n+' of '+rows.length+' rows';}
  text.addEventListener('input',filter);selects.forEach(function(s){s.addEventListener('change',filter);});filter();
});
function route(){all('tr.current').forEach(function(r){r.classList.remove('current');});var row=location.hash.length>1&&document.getElementById(decodeURIComponent(location.hash.slice(1)));if(row&&row.tagName==='TR')row.classList.add('current');}
addEventListener('hashchange',route);route();
root.setAttribute('data-ready','true');
})();
