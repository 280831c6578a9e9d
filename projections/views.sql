-- What `read` shows of the generation whose tables are found first. A view keeps the tables that it
-- was made of.

drop view if exists read.property_card;
drop view if exists read.property;
drop view if exists read.offer;
drop view if exists read.location;
drop view if exists read.site_settings;
drop view if exists read.navigation;
drop view if exists read.page;
drop view if exists read.article;
drop view if exists read.doc;
drop view if exists read.team_member;
drop view if exists read.redirect;
drop view if exists read.shown;

create view read.property as select * from property;
create view read.offer as select * from offer;
create view read.location as select * from location;
create view read.site_settings as select * from site_settings;
create view read.navigation as select * from navigation;
create view read.page as select * from page;
create view read.article as select * from article;
create view read.doc as select * from doc;
create view read.team_member as select * from team_member;
create view read.redirect as select * from redirect;

-- What lists show of a property.
create view read.property_card as
    select key, locale, reference, language, title, summary, location_slug, location_name,
           property_type, kind, status, price, previous_price, bedrooms, bathrooms, built_area,
           plot_area, features, featured, reduced, new_build, energy, listed_at, updated_at, lat, lng,
           images
    from property;

-- By which a picture is known to be public. What shows it comes with its own tag first.
create view read.shown as
    select collection, key, tags, pictures from aggregate where not removed;
